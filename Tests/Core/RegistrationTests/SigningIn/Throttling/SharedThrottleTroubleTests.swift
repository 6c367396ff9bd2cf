import AddressNormalization
import TestKit
import Testing

@testable import Registration

/// The shared count gives no answer, or a late one, or callers do what they should not.
@Suite("A shared count in trouble")
struct SharedThrottleTroubleTests {
  @Test("without an answer each regd decides by its own counts, as if it shared none", arguments: [false, true])
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

  @Test("one question in vain, then none for ten seconds; then the count is shared again")
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

  @Test("while a question hangs, right passwords are let in, and what was asked gets its answer afterwards")
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

  @Test("the same password again, while its question is under way, waits: it must not overtake the answer")
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
    // the place has lost nothing by it
    regd.clock.pass(.seconds(300))
    for number in 0..<3 {
      #expect(await regd.knock(0, "wrong \(number)", 500) == .wrong)
      regd.clock.pass(.seconds(300))
    }
  }

  @Test("a caller that is refused by the others' failures is given back what its origin was counted")
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

  @Test("a hundred that hang when the question gets no answer have together what the crowd has here")
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

  @Test("a question that has no answer because its caller has hung up keeps no other caller's from being asked")
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
