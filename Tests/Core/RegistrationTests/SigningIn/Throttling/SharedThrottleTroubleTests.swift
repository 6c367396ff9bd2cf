import AddressNormalization
import TestDoubles
import Testing

@testable import Registration

/// The shared count gives no answer or a late one, or callers misbehave.
@Suite("A shared count with faults")
struct SharedThrottleTroubleTests {
  @Test(
    "without an answer each regd decides by its own counts, as if it had no shared count", arguments: [false, true])
  func silent(_ isSilentFromTheStart: Bool) async {
    let regd = SharedGuards(1)
    if !isSilentFromTheStart { await regd.fail(0, from: 0..<20) }
    await regd.board.isSilent(true)
    let alone = SignInGuard(ThrottledDoor().throttle) { [clock = regd.clock] in clock.passed }
    if !isSilentFromTheStart {
      for caller in 0..<20 as Range<UInt32> { _ = await SharedGuards.knock(alone, regd.wrong(caller), caller) }
    }
    for step in 0..<600 as Range<UInt32> {
      let password = step.isMultiple(of: 50) ? "right" : regd.wrong(step % 150)
      let sight = await regd.knock(0, password, step % 150)
      #expect(await SharedGuards.knock(alone, password, step % 150) == sight, "step \(step)")
      regd.clock.pass(.milliseconds(Int64(step % 3) * 700))
    }
  }

  @Test("after one unanswered question regd asks nothing for ten seconds, and then shares the count again")
  func pause() async {
    let regd = SharedGuards(1)
    await regd.board.isSilent(true)
    await regd.fail(0, from: 0..<30)
    #expect(await regd.board.taken() == [.failed(regd.number)])
    regd.clock.pass(.seconds(9))
    await regd.fail(0, from: 30..<40)
    #expect(await regd.board.taken().isEmpty)
    regd.clock.pass(.seconds(1))
    await regd.board.isSilent(false)
    await regd.fail(0, from: 40..<42)
    #expect(await regd.board.taken() == [.admit(regd.number), .admit(regd.number)])
  }

  @Test("while a question hangs, correct passwords are accepted, and the question is answered later")
  func hanging() async {
    let regd = SharedGuards(1)
    #expect(await regd.knock(0, "right", 7) == .right)
    await regd.board.hold()
    async let late = regd.knock(0, "wrong", 8)
    await regd.board.reached()
    for caller in [7, 9, 10] as [UInt32] { #expect(await regd.knock(0, "right", caller) == .right) }
    await regd.board.open()
    #expect(await late == .wrong)
    #expect(await regd.board.failed(at: regd.number) == 2)
  }

  @Test("the same password waits while its question is in progress, because it must not overtake the answer")
  func overtaking() async {
    let regd = SharedGuards(2)
    await regd.fail(0, from: 0..<11)
    for _ in 0..<120 { _ = await regd.board.failed(at: regd.number) }
    await regd.board.hold()
    async let first = regd.knock(0, "wrong", 500)
    await regd.board.reached()
    #expect(await regd.knock(0, "wrong", 500) == .wait(1))
    await regd.board.open()
    #expect(await first == .wait(300))
    // the client has lost nothing
    regd.clock.pass(.seconds(300))
    for number in 0..<3 {
      #expect(await regd.knock(0, "wrong \(number)", 500) == .wrong)
      regd.clock.pass(.seconds(300))
    }
  }

  @Test("a caller that is refused because of other regd's failures does not use up its origin's quota")
  func origin() async {
    var limits = SignInLimits()
    limits.failures = SignInRate(atOnce: 3, interval: 1000)
    let board = StagedThrottle(StagedClock())
    let door = SignInGuard(ThrottledDoor(limits).throttle, shared: board) { .zero }
    func attempt(_ account: String, _ uid: UInt32, _ origin: Origin?) -> SignInAttempt {
      door.attempt(account: account, share: Share(uid: uid, origin: origin), password: Fixtures.password("wrong"))
    }
    for account in ["a", "b", "c", "d", "e"] {
      for uid in 0..<10 as Range<UInt32> {
        let attempt = attempt(account, uid, nil)
        #expect(await door.admit(attempt) == .go)
        await door.ended(attempt, .wrong)
      }
      for _ in 0..<120 { _ = await board.failed(at: attempt(account, 0, nil).shared ?? 0) }
      #expect(await door.admit(attempt(account, 1, Origin("somebody"))) == .wait(seconds: 300))
    }
    for account in ["f", "g", "h"] { #expect(await door.admit(attempt(account, 1, Origin("somebody"))) == .go) }
    #expect(await door.admit(attempt("i", 1, Origin("somebody"))) == .wait(seconds: 1))
  }

  @Test("many callers whose questions get no answer share the local quota of strangers")
  func hangingCrowd() async {
    let regd = SharedGuards(1)
    await regd.fail(0, from: 0..<11)
    await regd.board.hold()
    await regd.board.isSilent(true)
    let hashed = await withTaskGroup(of: Bool.self) { group in
      for caller in 100..<400 as Range<UInt32> {
        group.addTask { await regd.knock(0, regd.wrong(caller), caller) == .wrong }
      }
      await regd.board.reached(300)
      await regd.board.open()
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(hashed == 90)
  }

  @Test("a question without an answer because its caller hung up does not stop other callers' questions")
  func givenUp() async {
    let regd = SharedGuards(1)
    await regd.board.isSilent(true)
    await withTaskGroup(of: Void.self) { group in
      group.cancelAll()
      group.addTask { _ = await regd.knock(0, "wrong", 1) }
    }
    #expect(await regd.board.taken() == [.failed(regd.number)])
    await regd.board.isSilent(false)
    await regd.fail(0, from: 2..<4)
    #expect(await regd.board.taken() == [.failed(regd.number), .failed(regd.number)])
  }

  @Test("a caller that hangs up after its guess does not escape the count")
  func hungUp() async {
    let regd = SharedGuards(1)
    await withTaskGroup(of: Void.self) { group in
      group.cancelAll()
      group.addTask { _ = await regd.knock(0, "wrong", 1) }
    }
    #expect(await regd.board.failed(at: regd.number) == 2)
  }
}
