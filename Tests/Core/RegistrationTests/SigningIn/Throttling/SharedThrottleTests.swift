import AddressNormalization
import StoreConformance
import TestDoubles
import Testing

@testable import Registration

@Suite("A count shared by several regd processes")
struct SharedThrottleTests {
  @Test("the test double keeps the promises", arguments: SharedThrottleConformance.rules)
  func promises(_ rule: SharedThrottleConformance.Rule) async throws {
    let clock = StagedClock()
    let throttle = StagedThrottle(clock)
    try await rule.check(SharedThrottleStage(throttle, throttle) { clock.pass(.seconds($0)) })
  }

  @Test("a throttle that breaks a promise breaks a rule", arguments: LyingThrottle.Lie.allCases)
  func lies(_ lie: LyingThrottle.Lie) async throws {
    var broken: [String] = []
    for rule in SharedThrottleConformance.rules {
      let clock = StagedClock()
      let (one, other) = LyingThrottle.pair(lie, clock)
      do {
        try await rule.check(SharedThrottleStage(one, other) { clock.pass(.seconds($0)) })
      } catch is Broken { broken.append(rule.sentence) }
    }
    #expect(!broken.isEmpty)
  }

  @Test("the waits grow with the number of failures, in the same steps as in a single regd")
  func steps() {
    #expect([0, 1, 100].map { SharedThrottleRule.wait(after: $0) } == [0, 0, 0])
    #expect(
      (101...111).map { SharedThrottleRule.wait(after: $0) } == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
    #expect(SharedThrottleRule.most == 110 && SharedThrottleRule.fading == 900)
  }

  @Test("a key has 16 bytes, and numbers accounts with SipHash-2-4 as its paper reads a key")
  func key() throws {
    for count in [0, 15, 17, 32] { #expect(SharedThrottleKey(Array(repeating: 1, count: count)) == nil) }
    let key = try #require(SharedThrottleKey(Array(0..<16)))
    #expect(SignInAttempts.number(of: "", by: key.hash) == 0x726F_DB47_DD0E_0E31)
    #expect(key != SharedThrottleKey(Array(1...16)))
  }

  @Test("regd processes of one database number an account alike, and those of another database differently")
  func numbers() async {
    let board = StagedThrottle(StagedClock())
    let other = StagedThrottle(StagedClock(), key: Array(1...16))
    let numbers = [board, board, other].map {
      SharedGuards.attempt(SignInGuard(shared: $0), "wrong", 1).shared
    }
    #expect(numbers[0] != nil && numbers[0] == numbers[1] && numbers[0] != numbers[2])
    #expect(SharedGuards.attempt(SignInGuard(), "wrong", 1).shared == nil)
  }

  @Test("two regd processes share one limit, so failures at one make the other's callers wait")
  func oneBound() async {
    let regd = SharedGuards(2)
    await regd.fail(0, from: 0..<101)
    #expect(await regd.knock(0, "wrong", 1000) == .wait(1))
    // the other regd hashes before it knows of the failures, and receives their number with the answer
    #expect(await regd.knock(1, "wrong", 1001) == .wrong)
    #expect(await regd.knock(1, "wrong", 1002) == .wait(2))
    #expect(await regd.knock(0, "wrong", 1003) == .wait(1))
    regd.clock.pass(.seconds(1))
    // the first regd receives the other's count when it asks
    #expect(await regd.knock(0, "wrong", 1003) == .wait(1))
    #expect(await regd.board.taken().last == .admit(SharedGuards.attempt(regd.guards[0], "", 1).shared ?? 0))
  }

  @Test("an attacker who spreads guesses over four regd processes gains nothing", arguments: [1, 4])
  func spread(_ count: Int) async {
    let regd = SharedGuards(count)
    var hashed = 0
    for caller in 0..<2000 as Range<UInt32>
    where await regd.knock(Int(caller) % count, regd.wrong(caller), caller) == .wrong { hashed += 1 }
    #expect(hashed == 101)
    // a day with a guess at each regd whenever it accepts one: 288 waits of 300 s, and the ladder's first steps
    for caller in 10_000..<18_640 as Range<UInt32> {
      regd.clock.pass(.seconds(10))
      for number in 0..<count where await regd.knock(number, regd.wrong(caller), caller) == .wrong { hashed += 1 }
    }
    #expect(101 + 280...101 + 300 ~= hashed)
  }

  @Test("of a thousand simultaneous guesses at four regd, 101 are hashed, and at most ten more for each regd")
  func burst() async {
    let regd = SharedGuards(4)
    await regd.board.hold()
    let hashed = await withTaskGroup(of: Bool.self) { group in
      for caller in 0..<1000 as Range<UInt32> {
        group.addTask { await regd.knock(Int(caller) % 4, regd.wrong(caller), caller) == .wrong }
      }
      await regd.board.reached(1000)
      await regd.board.open()
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(101...141 ~= hashed)
  }

  @Test("a correct password asks nothing, but after many guesses it is counted and taken back")
  func right() async {
    let regd = SharedGuards(2)
    await regd.fail(0, from: 0..<9)
    _ = await regd.board.taken()
    #expect(await regd.knock(0, "right", 100) == .right)
    #expect(await regd.board.taken().isEmpty)
    await regd.fail(0, from: 10..<11)
    _ = await regd.board.taken()
    let account = SharedGuards.attempt(regd.guards[0], "", 1).shared ?? 0
    #expect(await regd.knock(0, "right", 101) == .right)
    #expect(await regd.board.taken() == [.admit(account), .takeBack(account)])
    #expect(await regd.board.failed(at: account) == 11)
    // a client with a sign-in asks nothing, and only its own guesses count for it
    await regd.fail(1, from: 200..<400)
    _ = await regd.board.taken()
    for password in ["right", "no", "not", "right"] { _ = await regd.knock(0, password, 101) }
    #expect(await regd.knock(0, "right", 101) == .right)
    #expect(await regd.board.taken().isEmpty)
  }

  @Test("a guess refused because of other regd's failures changes no local count and does not lengthen its wait")
  func refused() async {
    let regd = SharedGuards(2)
    await regd.fail(1, from: 0..<11)
    for number in 0..<94 { #expect(await regd.board.failed(at: regd.number) == 12 + number) }
    for caller in 500..<520 as Range<UInt32> { #expect(await regd.knock(1, "wrong", caller) == .wait(16)) }
    #expect(await regd.board.taken().count { $0 == .admit(regd.number) } == 2)
    regd.clock.pass(.seconds(16))
    #expect(await regd.knock(1, "wrong", 521) == .wrong)
    #expect(await regd.knock(1, "wrong", 522) == .wait(32))
  }

  @Test("a regd that receives only refusals does not forget that many passwords are guessed")
  func remembers() async {
    let regd = SharedGuards(1)
    await regd.fail(0, from: 0..<10)
    for _ in 0..<110 { _ = await regd.board.failed(at: regd.number) }
    #expect(await regd.knock(0, "wrong", 500) == .wait(300))
    // as long as ten failures are remembered here, while another regd's guesses continue
    regd.clock.pass(.seconds(10 * 900))
    for _ in 0..<110 { _ = await regd.board.failed(at: regd.number) }
    #expect(await regd.knock(0, "wrong", 501) == .wait(300))
  }
}

extension SharedGuards {
  /// The number of the owner's account.
  var number: UInt64 { Self.attempt(guards[0], "", 1).shared ?? 0 }
}
