import Glibc
import Liveness
import Registration
import Synchronization
import Testing

@testable import PasswordHashing

/// Tests the order in which hashes begin.
@Suite("The queue for hashing")
struct HashingQueueTests {
  /// One thread, blocked by the first piece of work until the test releases it.
  private final class Held: Sendable {
    let hashing: HashingQueue
    private let gate: (read: Int32, write: Int32)
    private let done = Mutex<[String]>([])

    init(queue: Int) throws {
      hashing = try HashingQueue(name: "test-hash", workers: 1, queue: queue, milliseconds: 10)
      var ends: [Int32] = [-1, -1]
      // closed on exec, because processes that other tests start meanwhile must not inherit them
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
      gate = (ends[0], ends[1])
    }

    deinit {
      close(gate.read)
      close(gate.write)
    }

    func letGo() {
      var byte: UInt8 = 0
      write(gate.write, &byte, 1)
    }

    var order: [String] { done.withLock { $0 } }

    func hold() async throws {
      try await hashing.run(HashingTurn(.daemon)) { [gate] in
        var byte: UInt8 = 0
        _ = read(gate.read, &byte, 1)
      }
    }

    func work(_ name: String, _ turn: HashingTurn) async throws(HashingFailure) {
      try await hashing.run(turn) { [self] in done.withLock { $0.append(name) } }
    }

    func until(_ count: Int) async { while hashing.count < count { await Task.yield() } }
  }

  private func turn(_ uid: UInt32, _ origin: String = "", first: Bool = false) -> HashingTurn {
    HashingTurn(Share(uid: uid, origin: Origin(origin)), goesFirst: first)
  }

  /// Begins all work in this order while the first piece of work blocks the thread, and then releases the thread.
  private func order(_ work: [(String, HashingTurn)]) async throws -> [String] {
    let held = try Held(queue: 100)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await held.hold() }
      await held.until(1)
      for (index, (name, turn)) in work.enumerated() {
        group.addTask { try await held.work(name, turn) }
        await held.until(index + 2)
      }
      held.letGo()
      try await group.waitForAll()
    }
    held.hashing.stop()
    return held.order
  }

  @Test("users take turns, and so do a user's origins, whatever the order and number of their requests")
  func turns() async throws {
    let loud = (1...4).map { ("loud \($0)", turn(1)) }
    #expect(try await order(loud + [("quiet", turn(2))]) == ["loud 1", "quiet", "loud 2", "loud 3", "loud 4"])
    let origins = (1...3).map { ("a \($0)", turn(1, "a")) } + [("b", turn(1, "b")), ("other", turn(2))]
    #expect(try await order(origins) == ["a 1", "other", "b", "a 2", "a 3"])
  }

  @Test("many origins of one user share that user's turns")
  func nesting() async throws {
    let many = (1...4).map { ("origin \($0)", turn(1, "\($0)")) }
    let seen = try await order(many + [("quiet 1", turn(2)), ("quiet 2", turn(2))])
    #expect(seen == ["origin 1", "quiet 1", "origin 2", "quiet 2", "origin 3", "origin 4"])
  }

  @Test("a very likely password goes before the other work of its user, but not before another user")
  func preferred() async throws {
    let work = [
      ("guess 1", turn(1)), ("guess 2", turn(1)), ("other", turn(2)), ("right", turn(1, "home", first: true)),
    ]
    #expect(try await order(work) == ["right", "other", "guess 1", "guess 2"])
  }

  @Test("the queue limits each origin and each user, and one user's full queue does not affect another user")
  func full() async throws {
    let held = try Held(queue: 2)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await held.hold() }
      await held.until(1)
      var count = 1
      func add(_ turn: HashingTurn) async {
        group.addTask { try await held.work("x", turn) }
        count += 1
        await held.until(count)
      }
      // workers plus queue: an origin may have three
      for _ in 0..<3 { await add(turn(1, "a")) }
      await #expect(throws: HashingFailure.self) { try await held.work("too many", turn(1, "a")) }
      for _ in 0..<3 { await add(turn(1, "b")) }
      for _ in 0..<3 { await add(turn(1, "c")) }
      // a user may have nine
      await #expect(throws: HashingFailure.self) { try await held.work("too many", turn(1, "d")) }
      await add(turn(2))
      held.letGo()
      try await group.waitForAll()
    }
    #expect(held.order.count == 10)
    #expect(held.hashing.count == 0)
    held.hashing.stop()
  }

  @Test("if many origins fill a user's queue, very likely passwords have as much room again, and no more")
  func roomForRight() async throws {
    let held = try Held(queue: 1)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await held.hold() }
      await held.until(1)
      var count = 1
      func add(_ name: String, _ turn: HashingTurn) async {
        group.addTask { try await held.work(name, turn) }
        count += 1
        await held.until(count)
      }
      for visitor in 1...5 { await add("guess", turn(1, "visitor \(visitor)")) }
      await #expect(throws: HashingFailure.self) { try await held.work("too many", turn(1, "home")) }
      for home in 1...5 { await add("right", turn(1, "home \(home)", first: true)) }
      await #expect(throws: HashingFailure.self) { try await held.work("too many", turn(1, "home 6", first: true)) }
      held.letGo()
      try await group.waitForAll()
    }
    #expect(held.order == Array(repeating: "right", count: 5) + Array(repeating: "guess", count: 5))
    held.hashing.stop()
  }

  @Test("a cancelled operation leaves the queue at once, unless it must run anyway")
  func cancelled() async throws {
    let held = try Held(queue: 10)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await held.hold() }
      await held.until(1)
      let outcome = await withTaskGroup(of: HashingFailure?.self) { inner in
        inner.addTask {
          do throws(HashingFailure) { try await held.work("given up", turn(1)) } catch { return error }
          return nil
        }
        await held.until(2)
        inner.cancelAll()
        return await inner.next() ?? nil
      }
      #expect(outcome == .cancelled)
      #expect(held.hashing.count == 1, "its place is free before the thread is")
      group.addTask {
        await withTaskGroup(of: Void.self) { inner in
          inner.addTask { try? await held.work("anyway", HashingTurn(Share(uid: 1), isDoneAnyway: true)) }
          await held.until(2)
          inner.cancelAll()
        }
      }
      await held.until(2)
      held.letGo()
    }
    #expect(held.order == ["anyway"])
    held.hashing.stop()
  }

  @Test("the estimated time of a hash distinguishes costly foreign hashes from quick ones")
  func costs() throws {
    func milliseconds(_ text: String) throws -> Int {
      try PasswordHashFormat.read(PasswordHash(phc: text)).get().milliseconds
    }
    let bcrypt = { (cost: String) in "$2b$\(cost)$A0j.0LMhIjjxI33XGUfHzOviL2kru5DV6kqorEqTrafo1Kv1asASq" }
    #expect(try milliseconds(bcrypt("10")) < 100)
    #expect(try milliseconds(bcrypt("16")) > 1000)
    let argon = "$argon2id$v=19$m=19456,t=2,p=1$XnLGx0AXqTxZVE+pC3QqBw$7M5TXd+B32ej6Iru3etwk2Xp4OhRY6ZfQduDz4HnmH0"
    #expect(try milliseconds(argon) == 38)
  }

  @Test("a hashing queue answers the probe if it is empty or makes progress, but not while it is blocked")
  func probe() async throws {
    let held = try Held(queue: 100)
    let probe = held.hashing.probe("hashing")
    #expect(ProbeRound(asking: [probe]) {}.silent == [])
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await held.hold() }
      await held.until(1)
      group.addTask { try await held.work("behind it", HashingTurn(.daemon)) }
      await held.until(2)
      let round = ProbeRound(asking: [probe]) {}
      #expect(round.silent == ["hashing"])
      held.letGo()
      try await group.waitForAll()
      #expect(round.silent == [])
    }
  }
}
