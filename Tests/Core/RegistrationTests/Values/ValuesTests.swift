import StoreConformance
import TestDoubles
import Testing

@testable import Registration

@Suite("Values")
struct ValuesTests {
  @Test("a timestamp converts to RFC 3339 and back")
  func timestamps() {
    for (microseconds, text) in [
      (0, "1970-01-01T00:00:00.000000Z"), (-1, "1969-12-31T23:59:59.999999Z"),
      (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"), (1_709_251_199_999_999, "2024-02-29T23:59:59.999999Z"),
      (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"), (1_795_258_620_000_000, "2026-11-21T10:57:00.000000Z"),
    ] as [(Int64, String)] {
      #expect(Timestamp(microseconds: microseconds).rfc3339 == text)
      #expect(Timestamp(rfc3339: text)?.microseconds == microseconds)
    }
  }

  @Test(
    "a timestamp in another format is refused",
    arguments: [
      "", "2026-11-21", "2026-11-21T10:57:00Z", "2026-02-29T00:00:00.000000Z", "2026-13-01T00:00:00.000000Z",
      "2026-11-21T24:00:00.000000Z", "2026-11-21T10:57:00.000000+00:00", "2026-11-21T10:57:00.0000000Z",
      "x026-11-21T10:57:00.000000Z", "9223372036854775807-01-01T00:00:00.000000Z",
      "2026-11-21T10:57:00.9223372036854775807Z", "2026-11-21T10-57-00.000000Z",
    ])
  func noTimestamps(_ text: String) { #expect(Timestamp(rfc3339: text) == nil) }

  @Test("the user or origin with the most waiting accounts is refused while there is room for others")
  func waitingBounds() {
    // users without origins come one after another, and each takes all that it gets
    var all = 0
    var room: [Int] = []
    for _ in 0..<4 {
      var count = 0
      while WaitingBounds.admits(.init(ofAll: all, ofUser: count, ofOrigin: count)) {
        (all, count) = (all + 1, count + 1)
      }
      room.append(count)
    }
    #expect(room[0] == WaitingBounds.all / 3)
    #expect(room.allSatisfy { $0 > 300 } && room.sorted(by: >) == room, "\(room)")
    // the origins of one user come one after another
    (all, room) = (0, [])
    for _ in 0..<4 {
      var count = 0
      while WaitingBounds.admits(.init(ofAll: all, ofUser: all, ofOrigin: count)) {
        (all, count) = (all + 1, count + 1)
      }
      room.append(count)
    }
    #expect(room.allSatisfy { $0 > 300 } && all < WaitingBounds.all / 2, "\(room)")
    #expect(WaitingBounds.admits(.init(ofAll: all, ofUser: 0, ofOrigin: 0)), "another user")
    // the same rule holds for registrations that wait for the upstream
    let third = PendingBounds.all / 3
    #expect(PendingBounds.admits(.init(ofAll: third, ofUser: third, ofOrigin: third)))
    #expect(!PendingBounds.admits(.init(ofAll: third + 1, ofUser: third + 1, ofOrigin: third + 1)))
  }

  private typealias Queue = (admits: @Sendable (WaitingCounts) -> Bool, all: Int, perUser: Int, perOrigin: Int)

  private static let queues: [Queue] = [
    ({ WaitingBounds.admits($0) }, WaitingBounds.all, WaitingBounds.perUser, WaitingBounds.perOrigin),
    ({ PendingBounds.admits($0) }, PendingBounds.all, PendingBounds.perUser, PendingBounds.perOrigin),
  ]

  /// How many a user gets that names a new origin each time, while other users have `others`.
  private static func most(_ queue: Queue, others: Int) -> Int {
    var count = 0
    while queue.admits(.init(ofAll: others + count, ofUser: count, ofOrigin: 0)) { count += 1 }
    return count
  }

  @Test("users who take all that they get with many origins exceed the total by a bounded number")
  func manyOrigins() {
    for queue in Self.queues {
      var all = 0
      let rooms = (0..<5).map { _ in
        let room = Self.most(queue, others: all)
        all += room
        return room
      }
      #expect(rooms.first == queue.all / 4 * 3, "a quarter is left to others")
      #expect(rooms.last == queue.perUser / 2 * 3 && rooms.sorted(by: >) == rooms, "\(rooms)")
      #expect(all > queue.all && all <= queue.all + rooms.count * queue.perUser / 2 * 3, "\(rooms)")
    }
  }

  @Test("a user with fewer than the user's minimum is admitted, however many the others have")
  func minimumOfUser() {
    for queue in Self.queues {
      for all in [queue.all, 2 * queue.all] {
        func admits(_ ofUser: Int, _ ofOrigin: Int) -> Bool {
          queue.admits(.init(ofAll: all, ofUser: ofUser, ofOrigin: ofOrigin))
        }
        #expect(!admits(queue.perUser, queue.perUser))
        #expect(!admits(queue.perUser / 2 * 3, 0), "even for a new origin")
        #expect(admits(0, 0) && admits(queue.perUser - 1, queue.perUser - 1))
        #expect(admits(queue.perUser, queue.perOrigin - 1) && !admits(queue.perUser, queue.perOrigin))
      }
    }
    let frontEnd = WaitingCounts(ofAll: PendingBounds.all, ofUser: 7000, ofOrigin: 7000)
    #expect(PendingBounds.admits(frontEnd), "a front end that names no origins")
  }

  @Test("many origins with several registrations each keep out neither the user's other origins nor other users")
  func minimumOfOrigin() {
    for queue in Self.queues {
      func admits(_ ofUser: Int, _ ofOrigin: Int) -> Bool {
        queue.admits(.init(ofAll: ofUser, ofUser: ofUser, ofOrigin: ofOrigin))
      }
      #expect(!admits(queue.all / 2, queue.perOrigin))
      #expect(admits(queue.all / 2, 0) && admits(queue.all / 2, queue.perOrigin - 1))
      let most = queue.all / 4 * 3
      #expect(admits(most - 1, 0) && !admits(most, 0))
      #expect(queue.admits(.init(ofAll: most + queue.all / 10, ofUser: queue.all / 10, ofOrigin: 0)), "another user")
    }
  }

  @Test("every day of twelve centuries converts to a date and back")
  func days() {
    for days in stride(from: Int64(-146_097), through: 146_097 * 2, by: 1) {
      #expect(CivilDate(daysSince1970: days).daysSince1970 == days)
    }
  }

  @Test("account ids are distinct version 7 UUIDs in the order of their time")
  func ids() {
    let early = AccountID(at: Timestamp(microseconds: 1_000_000))
    let late = AccountID(at: Timestamp(microseconds: 2_000_000))
    #expect(early.description < late.description)
    #expect(AccountID(at: Fixtures.time) != AccountID(at: Fixtures.time))
    let text = early.description
    #expect(text.count == 36)
    #expect(text.hasPrefix("00000000-03e8-7"))
    #expect("89ab".contains(Array(text)[19]))
    #expect(AccountID(text) == early)
    #expect(AccountID(text.uppercased()) == early)
    for wrong in [
      "", "x", String(text.dropLast()), text + "0", text.replacing("-", with: ""), "{\(text)}", "+" + text.dropFirst(),
    ] {
      #expect(AccountID(wrong) == nil)
    }
  }

  @Test("a password does not appear in its description or dump")
  func passwordsAreSilent() {
    let password = Fixtures.password("s3cret")
    #expect(!"\(password)".contains("s3cret"))
    var dumped = ""
    dump(password, to: &dumped)
    #expect(!dumped.contains("s3cret"))
    #expect(!"\(PasswordHash(phc: "$argon2id$x"))".contains("argon2"))
  }

  @Test("two passwords are the same if their characters are the same")
  func samePasswords() {
    #expect(Fixtures.password("a").isSame(as: Fixtures.password("a")))
    #expect(!Fixtures.password("a").isSame(as: Fixtures.password("b")))
    #expect(!Fixtures.password("a").isSame(as: Fixtures.password("ab")))
  }

  @Test("keys are compared by bytes")
  func keys() {
    #expect(EmailKey("\u{E9}@x.y") != EmailKey("e\u{301}@x.y"))
    #expect(EmailKey("e@x.y") == EmailKey("e@x.y"))
  }
}

@Suite("Memory store")
struct MemoryStoreTests {
  @Test("the memory store keeps the store's promises", arguments: StoreConformance.rules)
  func conforms(_ rule: StoreConformance.Rule) async throws { try await rule.check(MemoryStore().accounts) }

  @Test(
    "the memory store keeps the promises behind a store that passes on each operation",
    arguments: StoreConformance.rules)
  func intercepted(_ rule: StoreConformance.Rule) async throws {
    try await rule.check(FaultyStore(MemoryStore(), failing: 0).accounts)
  }

  @Test("surplus claims are removed unmailed first, then the oldest of the user and origin with the most claims")
  func surplus() {
    let claims = [
      ClaimScene.claim(uid: 8, at: 0), ClaimScene.claim(uid: 9, origin: "a", at: 2),
      ClaimScene.claim(uid: 9, origin: "a", at: 1), ClaimScene.claim(uid: 9, origin: "b", at: 3),
      ClaimScene.claim(uid: 9, origin: "b", at: 4), ClaimScene.claim(uid: 9, origin: "b", at: 5),
    ]
    var unmailed = ClaimScene.claim(uid: 10, at: 9)
    unmailed.mailed = nil
    let all = claims + [unmailed]
    // last, because the newer of the two remaining claims is kept
    let order = [unmailed, claims[3], claims[2], claims[4], claims[1], claims[0]]
    for count in 0...order.count {
      let gone = ClaimBounds.surplus(of: all.shuffled(), beyond: all.count - count)
      #expect(Set(gone.map(\.id)) == Set(order.prefix(count).map(\.id)), "\(count) too many")
      #expect(gone.count == count)
    }
  }
}
