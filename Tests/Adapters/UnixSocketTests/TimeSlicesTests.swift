import Testing

@testable import UnixSocket

@Suite("Time slices")
struct TimeSlicesTests {
  /// #expect splits its expression, and cannot call mutating methods.
  private func check(_ isSo: Bool, at location: SourceLocation = #_sourceLocation) {
    #expect(isSo, sourceLocation: location)
  }

  private let slice = 1_000_000

  /// Serves connections until the round ends. Each takes `time`, or its slice if that is less.
  private func round(_ turns: inout TimeSlices<String>, time: Int) -> [String] {
    var served: [String] = []
    while let next = turns.next() {
      served.append(next.element)
      turns.spend(min(time, next.time), by: next.user)
    }
    return served
  }

  @Test("users take turns, not connections: a user with one waiting connection is served beside a user with 100")
  func users() {
    var turns = TimeSlices<String>(slice: slice)
    for number in 0..<100 { turns.wait("loud \(number)", of: 1) }
    turns.wait("quiet", of: 2)
    turns.wait("other", of: 3)
    turns.beginRound()
    check(round(&turns, time: slice) == ["loud 0", "quiet", "other"])
    check(turns.next() == nil && !turns.isEmpty)
    turns.beginRound()
    check(round(&turns, time: slice) == ["loud 1"])
  }

  @Test("all connections of a user share one slice, in order")
  func slices() {
    var turns = TimeSlices<String>(slice: slice)
    for number in 0..<10 { turns.wait("\(number)", of: 1) }
    turns.beginRound()
    check(round(&turns, time: 400_000) == ["0", "1", "2"])
    turns.beginRound()
    check(round(&turns, time: 100_000) == ["3", "4", "5", "6", "7", "8", "9"])
    check(turns.isEmpty)
  }

  @Test("work that is done at once counts against the same slice, and none is done at once while the user's work waits")
  func atOnce() {
    var turns = TimeSlices<String>(slice: slice)
    check(turns.left(to: 1) == slice)
    turns.spend(300_000, by: 1)
    check(turns.left(to: 1) == 700_000 && turns.left(to: 2) == slice)
    turns.wait("a", of: 1)
    check(turns.left(to: 1) == 0 && turns.left(to: 2) == slice)
    turns.spend(slice, by: 2)
    check(turns.left(to: 2) == 0)
    turns.beginRound()
    check(turns.left(to: 2) == slice)
    check(turns.next().map { $0.element == "a" && $0.time == slice } == true)
    check(turns.left(to: 1) == slice)
  }

  @Test("after a round that ends early, the next round begins with the users that were not served")
  func shortRounds() {
    var turns = TimeSlices<String>(slice: slice)
    for user in 1...3 { for number in 0..<2 { turns.wait("\(user).\(number)", of: user) } }
    var served: [String] = []
    for _ in 0..<6 {
      turns.beginRound()
      guard let next = turns.next() else { break }
      served.append(next.element)
      turns.spend(900_000, by: next.user)
    }
    #expect(served == ["1.0", "2.0", "3.0", "1.1", "2.1", "3.1"])
  }

  @Test("a few users cannot take all connections, and a later user gets some")
  func shares() {
    var own = [Int](repeating: 0, count: 40)
    /// Each user in turn takes as many as it gets.
    func fill(_ users: Range<Int>) {
      for user in users {
        while ConnectionShare.hasRoom(own: own[user], taken: own.reduce(0, +), limit: 1000) { own[user] += 1 }
      }
    }
    fill(0..<1)
    #expect(own[0] > 300 && own[0] < 350)
    fill(1..<12)
    #expect(own[..<12].allSatisfy { $0 >= 4 } && own.reduce(0, +) < 1000)
    #expect(!ConnectionShare.hasRoom(own: 0, taken: 1000, limit: 1000))
    #expect(
      ConnectionShare.hasRoom(own: 3, taken: 999, limit: 1000)
        && !ConnectionShare.hasRoom(own: 4, taken: 999, limit: 1000))
  }
}
