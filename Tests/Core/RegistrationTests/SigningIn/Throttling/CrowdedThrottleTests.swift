import TestDoubles
import Testing

@testable import Registration

/// Many callers that try to make the throttle forget.
@Suite("Many origins at the throttle")
struct CrowdedThrottleTests {
  private static let limits = {
    var limits = SignInLimits()
    limits.standings = 64
    limits.origins = 64
    return limits
  }()
  private var door = ThrottledDoor(Self.limits)

  /// The owner has signed in at home, and strangers have used up their shared quota.
  private mutating func besiege() {
    door.origin = Origin("home")
    #expect(door.knock("right") == .right)
    for number in 0..<101 {
      door.origin = Origin("stranger \(number)")
      #expect(door.knockWrong() == .wrong)
    }
    #expect(door.knockWrong() == .wait(1))
    door.origin = Origin("home")
  }

  /// Another user signs in to a separate account.
  private mutating func signIn(_ account: String, _ origin: String?, _ uid: UInt32 = 1) {
    door.passwords[account] = "mine"
    door.origin = origin.flatMap { Origin($0) }
    #expect(door.knock("mine", account, uid) == .right)
    door.origin = Origin("home")
    door.seconds += 1
  }

  private var isOwnerAtHome: Bool { door.throttle.isKnown(key("owner", "home"), of: Fixtures.account().account.id) }

  private func key(_ account: String, _ origin: String?, _ uid: UInt32 = 1) -> SignInAttempt.Key {
    door.throttle.attempts.key(account: account, share: Share(uid: uid, origin: origin.flatMap { Origin($0) }))
  }

  @Test("sign-ins to one account from ever new origins displace no other client behind the same front end")
  mutating func oneAccount() {
    besiege()
    for number in 0..<1000 { signIn("mallory's", "\(number)") }
    #expect(isOwnerAtHome)
    #expect(door.knock("right") == .right)
    #expect(door.throttle.counts[1] == 1 + KnownClients.perAccount)
  }

  @Test("one user's sign-ins to many accounts do not displace the owner, whether from one client or from many")
  mutating func manyAccounts() {
    besiege()
    for number in 0..<2000 { signIn("mallory's \(number)", nil, 666) }
    #expect(isOwnerAtHome)
    #expect(door.throttle.counts[1] == 64)
    for number in 0..<1000 { signIn("mallory's \(number % 10)", "\(number)") }
    #expect(isOwnerAtHome)
    #expect(door.throttle.counts[1] == 64)
    #expect(door.knock("right") == .right)
  }

  @Test("sign-ins of many users do not displace the owner, because a full account loses its own clients first")
  mutating func manyUsers() {
    besiege()
    for number in 0..<2000 { signIn("mallory's \(number % 15)", nil, 1000 + UInt32(number)) }
    #expect(isOwnerAtHome)
    #expect(door.throttle.counts[1] == 64)
  }

  @Test("an account with too many clients forgets the client that was used longest ago")
  mutating func oldest() {
    for number in 0..<KnownClients.perAccount { signIn("mine", "\(number)") }
    signIn("mine", "0")
    signIn("mine", "new")
    let id = Fixtures.account().account.id
    #expect([0, 1, 2].map { door.throttle.isKnown(key("mine", "\($0)"), of: id) } == [true, false, true])
    #expect(door.throttle.isKnown(key("mine", "new"), of: id))
  }

  @Test("an attempt that was not hashed makes no row")
  mutating func notHashed() {
    for number in 0..<1000 {
      door.origin = Origin("\(number)")
      let attempt = door.attempt("guess", "nobody \(number)")
      #expect(door.admit(attempt) == .go)
      door.end(attempt, .unknown)
    }
    #expect(door.throttle.counts == [0, 0, 0, 0])
  }

  @Test("wrong passwords at many addresses do not reset the count of an account after many guesses")
  mutating func manyAddresses() {
    besiege()
    for number in 0..<2000 {
      door.origin = Origin("filler \(number)")
      #expect(door.knockWrong("nobody \(number)") == .wrong)
    }
    door.seconds += 1
    var compared = 0
    for number in 0..<300 {
      door.origin = Origin("again \(number)")
      if door.knockWrong() == .wrong { compared += 1 }
    }
    #expect(compared == 1, "the ladder continues")
    #expect(door.throttle.counts.allSatisfy { $0 <= 64 })
  }

  @Test("a thousand simultaneous strangers get no more guesses than sequential strangers")
  mutating func atOnce() {
    var flying: [SignInAttempt] = []
    for number in 0..<1000 {
      door.origin = Origin("\(number)")
      let attempt = door.attempt(door.fresh())
      if door.admit(attempt) == .go { flying.append(attempt) }
    }
    #expect(flying.count == 101)
    // attempts without a result leave nothing behind
    for attempt in flying { door.end(attempt, .unknown) }
    #expect(door.knock("right") == .right)
    #expect(door.throttle.counts[2] == 0)
  }
}

@Suite("Tables of the throttle")
struct ThrottleTableTests {
  @Test("a ranked table is a dictionary whose lowest rank is known", arguments: 1...5 as ClosedRange<UInt64>)
  func ranked(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var table = RankedTable<Int, Int>()
    var model: [Int: (value: Int, rank: Int64)] = [:]
    for step in 0..<3000 {
      let key = Int.random(in: 0..<60, using: &generator)
      let rank = Int64.random(in: 0..<40, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0, 1:
        table.set(key, step, rank: rank)
        model[key] = (step, rank)
      case 2:
        table.remove(key)
        model[key] = nil
      default:
        table.change(key) {
          $0 += 1
          return rank
        }
        if let found = model[key] { model[key] = (found.value + 1, rank) }
      }
      #expect(table.count == model.count)
      #expect(table[key] == model[key]?.value && table.rank(key) == model[key]?.rank)
      #expect(table.first?.rank == model.values.map(\.rank).min())
    }
    #expect(Set(table.keys) == Set(model.keys))
  }

  private struct Worth: Fading {
    let ends: Moment
  }

  @Test("a fading table keeps the entries that last longest, and no expired entry")
  func fading() {
    var table = FadingTable<Int, Worth>(capacity: 4)
    for key in 0..<4 { table.set(key, Worth(ends: 100 + Int64(key)), at: 0) }
    table.set(9, Worth(ends: 50), at: 0)
    #expect(table[9] == nil && table.count == 4)
    table.set(9, Worth(ends: 500), at: 0)
    #expect(table[0] == nil && table[9] != nil)
    table.set(8, Worth(ends: 600), at: 102)
    #expect(table.count == 3 && table[3] != nil)
    table.set(3, Worth(ends: 10), at: 102)
    #expect(table[3] == nil)
  }
}
