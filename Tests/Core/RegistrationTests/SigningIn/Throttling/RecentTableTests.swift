import TestDoubles
import Testing

@testable import Registration

@Suite("Bounded memory of the throttle")
struct RecentTableTests {
  @Test("a table never exceeds its capacity and always keeps the newest half", arguments: [2, 3, 10, 64])
  func bounds(_ capacity: Int) {
    var generator = SeededGenerator(seed: UInt64(capacity))
    var table = RecentTable<Int, Int>(capacity: capacity)
    var written: [Int] = []
    for step in 0..<5000 {
      let key = Int.random(in: 0..<100, using: &generator)
      table[key] = step
      written.removeAll { $0 == key }
      written.append(key)
      #expect(table.count <= capacity)
      for key in written.suffix(capacity / 2) { #expect(table[key] != nil) }
    }
  }

  @Test("an overwritten or removed value is not found any more")
  func stale() {
    var table = RecentTable<Int, Int>(capacity: 6)
    for key in 0..<3 { table[key] = 0 }
    table[0] = 1
    #expect(table[0] == 1)
    for key in [0, 2] { table[key] = nil }
    #expect((0..<3).map { table[$0] } == [nil, 0, nil])
    table[1] = nil
    #expect(table[1] == nil && table.count == 0)
  }

  @Test("a flood of accounts and callers stays within the limits and displaces no user who has signed in")
  func flood() {
    var limits = SignInLimits()
    limits.standings = 64
    limits.origins = 16
    var door = ThrottledDoor(limits)
    #expect(door.knock("right") == .right)
    for number in 0..<2000 {
      door.origin = number.isMultiple(of: 2) ? nil : Origin("origin \(number)")
      _ = door.knockWrong("account \(number)", UInt32(number / 3))
      #expect(zip(door.throttle.counts, [64, 64, 64, 16]).allSatisfy { $0 <= $1 })
    }
    door.origin = nil
    for _ in 0..<4 { _ = door.knockWrong() }
    #expect(door.knock("right") == .right)
    // bytes of one entry, without the table's overhead
    #expect(MemoryLayout<SignInAttempt.Key>.stride + MemoryLayout<Standing>.stride <= 112)
  }

  @Test("refused attempts make no new entries")
  func refused() {
    var door = ThrottledDoor()
    door.origin = Origin("somebody")
    for number in 0..<5000 { _ = door.knockWrong("account \(number)") }
    #expect(door.throttle.counts == [100, 0, 100, 1])
  }

  @Test("nothing displaces an attempt in flight, and its result counts")
  func inFlight() {
    var limits = SignInLimits()
    limits.standings = 4
    var door = ThrottledDoor(limits)
    let attempts = (0..<4).map { _ in door.attempt(door.fresh()) }
    for attempt in attempts { #expect(door.admit(attempt) == .go) }
    for number in 0..<10 { _ = door.knockWrong("account \(number)", 2) }
    door.seconds += 1
    for attempt in attempts { door.end(attempt, .wrong) }
    #expect(door.knockWrong() == .wait(1))
  }
}
