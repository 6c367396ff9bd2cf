import Testing

@testable import UnixSocket

@Suite("Turns")
struct TurnsTests {
  /// #expect takes its parts apart, and cannot call what changes them.
  private func check(_ isSo: Bool, at location: SourceLocation = #_sourceLocation) {
    #expect(isSo, sourceLocation: location)
  }

  private let slice = Duration.milliseconds(1)

  /// Has members of all users served in turns that take all that is given them, to the end of the round.
  private func round(_ turns: inout Turns<String>, time: Duration) -> [String] {
    var served: [String] = []
    while let next = turns.next() {
      served.append(next.member)
      turns.spend(min(time, next.slice), by: next.user)
    }
    return served
  }

  @Test("users take turns, not connections: a user with one waiting is served beside a user with a hundred")
  func users() {
    var turns = Turns<String>(slice: slice)
    for number in 0..<100 { turns.wait("loud \(number)", of: 1) }
    turns.wait("quiet", of: 2)
    turns.wait("other", of: 3)
    turns.beginRound()
    check(round(&turns, time: slice) == ["loud 0", "quiet", "other"])
    check(turns.next() == nil && !turns.isEmpty)
    turns.beginRound()
    check(round(&turns, time: slice) == ["loud 1"])
  }

  @Test("a user's slice is for all of its connections together, and those of one user are in order")
  func slices() {
    var turns = Turns<String>(slice: slice)
    for number in 0..<10 { turns.wait("\(number)", of: 1) }
    turns.beginRound()
    check(round(&turns, time: .microseconds(400)) == ["0", "1", "2"])
    turns.beginRound()
    check(round(&turns, time: .microseconds(100)) == ["3", "4", "5", "6", "7", "8", "9"])
    check(turns.isEmpty)
  }

  @Test("what is served where it is read is of the same slice, and does not go past others of its user")
  func atOnce() {
    var turns = Turns<String>(slice: slice)
    check(turns.left(to: 1) == slice)
    turns.spend(.microseconds(300), by: 1)
    check(turns.left(to: 1) == .microseconds(700) && turns.left(to: 2) == slice)
    turns.wait("a", of: 1)
    check(turns.left(to: 1) == .zero && turns.left(to: 2) == slice)
    turns.spend(slice, by: 2)
    check(turns.left(to: 2) == .zero)
    turns.beginRound()
    check(turns.left(to: 2) == slice)
    check(turns.next().map { $0.member == "a" && $0.slice == slice } == true)
    check(turns.left(to: 1) == slice)
  }

  @Test("a round that ends early goes on with those who had nothing of it")
  func shortRounds() {
    var turns = Turns<String>(slice: slice)
    for user in UInt32(1)...3 { for number in 0..<2 { turns.wait("\(user).\(number)", of: user) } }
    var served: [String] = []
    for _ in 0..<6 {
      turns.beginRound()
      guard let next = turns.next() else { break }
      served.append(next.member)
      turns.spend(.microseconds(900), by: next.user)
    }
    #expect(served == ["1.0", "2.0", "3.0", "1.1", "2.1", "3.1"])
  }

  @Test("round robin: one of each user, in the order in which they came")
  func roundRobin() {
    var waiting = RoundRobin<String>()
    for number in 0..<4 { waiting.append("loud \(number)", of: 1) }
    waiting.append("quiet 0", of: 2)
    waiting.append("quiet 1", of: 2)
    #expect(waiting.count == 6)
    var order: [String] = []
    while let next = waiting.next() { order.append(next) }
    #expect(order == ["loud 0", "quiet 0", "loud 1", "quiet 1", "loud 2", "loud 3"])
    #expect(waiting.isEmpty)
  }

  @Test("few users cannot take all, and a user who comes afterwards gets some")
  func shares() {
    var own = [Int](repeating: 0, count: 40)
    /// Each user takes all that it gets, one after the other.
    func fill(_ users: Range<Int>) {
      for user in users {
        while FairShare.hasRoom(own: own[user], taken: own.reduce(0, +), limit: 1000) { own[user] += 1 }
      }
    }
    fill(0..<1)
    #expect(own[0] > 300 && own[0] < 350)
    fill(1..<12)
    #expect(own[..<12].allSatisfy { $0 >= 4 } && own.reduce(0, +) < 1000)
    #expect(!FairShare.hasRoom(own: 0, taken: 1000, limit: 1000))
    #expect(FairShare.hasRoom(own: 3, taken: 999, limit: 1000) && !FairShare.hasRoom(own: 4, taken: 999, limit: 1000))
  }
}
