import Registration
import Testing

@testable import HTTPNetwork

@Suite("Turns of transfers", .timeLimit(.minutes(10)))
struct TransferTurnsTests {
  /// The turns, with helpers to ask and to start.
  private struct Bench {
    var turns: TransferTurns<String>

    init(_ connections: Int, waiting: Int = 1000) {
      turns = TransferTurns(connections: connections, maximumWaiting: waiting)
    }

    /// - Returns: How many transfers were allowed to wait.
    @discardableResult
    mutating func ask(_ count: Int, _ name: String, _ share: Share) -> Int {
      (0..<count).count { turns.append("\(name)\($0)", of: share) }
    }

    /// Starts every transfer that may start.
    mutating func start() -> [String] {
      var started: [String] = []
      while let next = turns.next() { started.append(next) }
      return started
    }
  }

  private let loud = Share(uid: 1)
  private let quiet = Share(uid: 2)

  /// The difference between the numbers of running transfers of the two users.
  private func difference(_ bench: Bench) -> Int {
    abs(bench.turns.runningCount(of: loud) - bench.turns.runningCount(of: quiet))
  }

  @Test("no turn is given while no transfer waits")
  func nothing() {
    var bench = Bench(4)
    #expect(bench.start().isEmpty)
    #expect(bench.turns.withdraw(of: loud) { _ in true } == nil)
  }

  @Test("a single user gets three quarters of the connections, and a transfer of a second user starts at once")
  func threshold() {
    var bench = Bench(64)
    bench.ask(100, "l", loud)
    #expect(bench.start().count == 48)
    bench.ask(1, "q", quiet)
    #expect(bench.start() == ["q0"])
    #expect(bench.turns.waitingCount == 52)
  }

  @Test("two busy users get nearly equal numbers of connections, and a third user finds free ones")
  func equal() {
    var bench = Bench(64)
    for _ in 0..<9 {
      bench.ask(40, "l", loud)
      bench.ask(40, "q", quiet)
      _ = bench.start()
    }
    #expect(difference(bench) <= 1)
    bench.ask(1, "third", Share(uid: 3))
    #expect(bench.start() == ["third0"])
  }

  @Test("as transfers end, the user with the most gives way until both users have nearly the same number")
  func givesWay() {
    var bench = Bench(64)
    bench.ask(90, "l", loud)
    #expect(bench.start().count == 48)
    bench.ask(90, "q", quiet)
    _ = bench.start()
    for _ in 0..<200 {
      bench.turns.ended(of: loud)
      _ = bench.start()
      bench.ask(1, "l", loud)
    }
    #expect(difference(bench) <= 2)
  }

  @Test("users take turns if there is only one connection")
  func single() {
    var bench = Bench(1)
    bench.ask(3, "l", loud)
    bench.ask(1, "q", quiet)
    var order: [String] = []
    while let next = bench.turns.next() {
      order.append(next)
      #expect(bench.turns.next() == nil)
      bench.turns.ended(of: next.hasPrefix("l") ? loud : quiet)
    }
    #expect(order == ["l0", "q0", "l1", "l2"])
  }

  @Test("regd itself is limited like any other user")
  func daemon() {
    var bench = Bench(4)
    bench.ask(9, "d", .daemon)
    #expect(bench.start().count == 3)
    bench.ask(1, "q", quiet)
    #expect(bench.start() == ["q0"])
  }

  @Test("a user's origins take turns, and one origin cannot fill the user's queue")
  func origins() {
    var bench = Bench(1, waiting: 8)
    let (one, other) = (Share(uid: 1, origin: Origin("one")), Share(uid: 1, origin: Origin("other")))
    #expect(bench.ask(100, "a", one) == 6)
    #expect(bench.ask(100, "b", other) == 2)
    #expect(bench.ask(1, "q", quiet) == 1, "another user is not concerned")
    var order: [String] = []
    while let next = bench.turns.next() {
      order.append(next)
      bench.turns.ended(of: next.hasPrefix("q") ? quiet : one)
    }
    #expect(order == ["a0", "q0", "b0", "a1", "b1", "a2", "a3", "a4", "a5"])
  }

  @Test("a withdrawn transfer gets no turn and frees its room in the queue")
  func withdrawn() {
    var bench = Bench(1, waiting: 4)
    #expect(bench.ask(9, "l", loud) == 3)
    #expect(bench.turns.withdraw(of: loud) { $0 == "l1" } == "l1")
    #expect(bench.turns.withdraw(of: loud) { $0 == "l1" } == nil)
    #expect(bench.ask(9, "m", loud) == 1)
    #expect(bench.turns.next() == "l0")
    bench.turns.ended(of: loud)
    #expect(bench.turns.next() == "l2")
    #expect(bench.turns.waitingCount == 1)
  }
}
