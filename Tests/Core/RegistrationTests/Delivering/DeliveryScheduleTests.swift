import TestDoubles
import Testing

@testable import Registration

@Suite("Delivery schedule")
struct DeliveryScheduleTests {
  private typealias Schedule = DeliverySchedule<AccountID, NetworkFailure>

  private static let start = ContinuousClock.now

  private func id(_ number: Int) -> AccountID {
    AccountID(at: Timestamp(microseconds: Fixtures.time.microseconds + Int64(number) * 1000))
  }

  @Test("a schedule without entries has nothing due")
  func empty() {
    var schedule = Schedule(.init())
    #expect(schedule.takeDue(at: Self.start) == nil)
    #expect(schedule.next() == nil && schedule.leastFailed() == nil)
    let one = id(1)
    schedule.failed(one, .timeout, at: Self.start, dice: 0)
    schedule.forget(one)
    #expect(schedule.takeDue(at: Self.start + .seconds(1000)) == nil)
    #expect(schedule.next() == nil && schedule.leastFailed() == nil && schedule.count == 0)
  }

  @Test("a retry of a waiting entry causes one try, and a retry during a try causes one more")
  func retried() {
    var schedule = Schedule(.init(firstPause: .seconds(4), maximumPause: .seconds(64)))
    let one = id(1)
    schedule.add(one, at: Self.start)
    schedule.retry(nil, at: Self.start)
    #expect(schedule.takeDue(at: Self.start) == one)
    schedule.failed(one, .timeout, at: Self.start, dice: 0)
    #expect(schedule.takeDue(at: Self.start) == nil)
    #expect(schedule.next() == Self.start + .seconds(4))
    schedule.retry(one, at: Self.start)
    #expect(schedule.takeDue(at: Self.start) == one)
    schedule.retry(one, at: Self.start)
    schedule.failed(one, .timeout, at: Self.start, dice: 0)
    #expect(schedule.takeDue(at: Self.start) == one)
  }

  @Test("a failure is noted once, until the next failure")
  func noted() throws {
    var schedule = Schedule(.init())
    let one = id(1)
    schedule.add(one, at: Self.start)
    #expect(schedule.note(of: one, at: Self.start, Fixtures.time) == nil)
    schedule.failed(one, .timeout, at: Self.start, dice: 0)
    let found = schedule.note(of: one, at: Self.start, Fixtures.time)
    let note = try #require(found)
    #expect(note.attempts == 1)
    schedule.noted(one, note)
    #expect(schedule.note(of: one, at: Self.start, Fixtures.time) == nil)
    schedule.failed(one, .timeout, at: Self.start, dice: 0)
    #expect(schedule.note(of: one, at: Self.start, Fixtures.time)?.attempts == 2)
  }

  @Test("over random days the schedule agrees with a pass over all entries")
  func model() {
    struct Known { var attempts = 0, next = 0, isTaken = false }
    let ids = (0..<30).map(id)
    var schedule = Schedule(.init(firstPause: .seconds(4), maximumPause: .seconds(64)))
    var known: [AccountID: Known] = [:]
    var now = 0
    func at(_ second: Int) -> ContinuousClock.Instant { Self.start + .seconds(second) }
    for step in 0..<6000 {
      let id = ids[Int.random(in: 0..<30)]
      switch Int.random(in: 0..<10) {
      case 0..<3:
        schedule.add(id, at: at(now))
        if known[id] == nil { known[id] = Known(next: now) }
      case 3..<6:
        schedule.failed(id, .timeout, at: at(now), dice: 0)
        let attempts = (known[id]?.attempts ?? 0) + 1
        known[id] = Known(attempts: attempts, next: now + min(64, 4 << min(attempts - 1, 10)))
      case 6:
        schedule.forget(id)
        known[id] = nil
      case 7:
        let later = now + Int.random(in: 0..<10)
        schedule.postpone(id, until: at(later))
        if let entry = known[id] { known[id] = Known(attempts: entry.attempts, next: max(entry.next, later)) }
      case 8:
        let due = known.filter { !$0.value.isTaken && $0.value.next <= now }
        let expected = due.min { ($0.value.attempts, $0.key) < ($1.value.attempts, $1.key) }?.key
        #expect(schedule.takeDue(at: at(now)) == expected, "step \(step)")
        if let expected { known[expected]?.isTaken = true }
      default: now += Int.random(in: 1..<8)
      }
      let next = known.values.filter { !$0.isTaken }.map(\.next).min()
      // an overdue entry is due now
      #expect(schedule.next().map { max($0, at(now)) } == next.map { at(max($0, now)) }, "step \(step)")
      let least = known.min { ($0.value.attempts, $0.key) < ($1.value.attempts, $1.key) }?.key
      #expect(schedule.leastFailed() == least, "step \(step)")
      #expect(schedule.count == known.count)
    }
  }

  @Test("users take turns; a user's least failed entries go first, and among these the user's origins take turns")
  func turns() {
    var schedule = Schedule(.init(firstPause: .seconds(4), maximumPause: .seconds(64)))
    let ids = (0..<8).map(id)
    func add(_ number: Int, _ uid: UInt32, _ origin: String, failures: Int) {
      let one = ids[number]
      schedule.add(one, DeliveryTurn(share: Share(uid: uid, origin: Origin(origin))), at: Self.start)
      for _ in 0..<failures { schedule.failed(one, .timeout, at: Self.start, dice: 0) }
    }
    for number in 0..<4 { add(number, 7, "many", failures: 1) }
    add(4, 7, "many", failures: 3)
    add(5, 7, "few", failures: 2)
    add(6, 7, "few", failures: 1)
    add(7, 8, "another's", failures: 9)
    var taken: [AccountID] = []
    while let one = schedule.takeDue(at: Self.start + .seconds(1000)) { taken.append(one) }
    #expect(taken.count == 8)
    #expect(Set(taken.prefix(2)).contains(ids[7]), "another user's entry, however often it has failed")
    let own = taken.filter { $0 != ids[7] }
    #expect(Set(own.prefix(2)) == [ids[0], ids[6]], "the first of each origin")
    #expect(Array(own.dropFirst(2)) == [1, 2, 3, 5, 4].map { ids[$0] })
  }

  @Test("of one user's entries, first tries go first, and a repeat follows every seventh first try")
  func firstTries() {
    var schedule = Schedule(.init(firstPause: .seconds(4), maximumPause: .seconds(64)))
    let ids = (0..<230).map(id)
    func add(_ number: Int, lane: DeliveryLane, failures: Int = 0) {
      let turn = DeliveryTurn(
        share: Share(uid: 7, origin: Origin("o\(number)")), lane: lane, recipient: EmailKey("n\(number)@example.com"))
      schedule.add(ids[number], turn, at: Self.start)
      for _ in 0..<failures { schedule.failed(ids[number], .timeout, at: Self.start, dice: 0) }
    }
    for number in 0..<200 { add(number, lane: .awaited, failures: 1) }
    let now = Self.start + .seconds(1000)
    func take(_ count: Int) -> [Bool] {
      (0..<count).map { _ in schedule.takeDue(at: now).map { $0 >= ids[200] } ?? false }
    }
    #expect(take(50).allSatisfy { !$0 })
    for number in 200..<230 { add(number, lane: number.isMultiple(of: 2) ? .awaited : .told) }
    let first = take(34)
    #expect(first.count { $0 } == 30, "all new entries go within the next turns: \(first)")
    #expect(first.prefix(7).allSatisfy { $0 } && !first[7])
    #expect(take(200).count { $0 } == 0)
    #expect(schedule.takeDue(at: now) == nil)
  }

  @Test("an entry gets its user and origin when it is read from the store")
  func read() {
    var schedule = Schedule(.init())
    let one = id(1)
    schedule.add(one, at: Self.start)
    let turn = DeliveryTurn(share: Share(uid: 7, origin: Origin("one")))
    schedule.adopt(
      WaitingDelivery(id: one, turn: turn, note: nil, isClaimedElsewhere: false), at: Self.start, Fixtures.time)
    #expect(schedule[one]?.turn == turn)
    #expect(schedule.takeDue(at: Self.start) == one)
    #expect(schedule.takeDue(at: Self.start) == nil)
  }
}
