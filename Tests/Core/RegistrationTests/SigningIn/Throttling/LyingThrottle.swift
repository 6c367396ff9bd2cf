import TestDoubles

@testable import Registration

/// A shared count that breaks one promise.
struct LyingThrottle: SharedThrottle {
  enum Lie: CaseIterable {
    case countsForItself, keepsOneCount, neverFades, fadesAtOnce, takesNothingBack, forgetsNothing, forgetsAll
    case countsRefused, ignoresWaits, waitsForever, hearsOnlyThePatient, hasOtherKeys
  }

  let lie: Lie
  let key: SharedThrottleKey
  private let throttle: StagedThrottle
  private let clock: StagedClock

  static func pair(_ lie: Lie, _ clock: StagedClock) -> (Self, Self) {
    let still = lie == .neverFades || lie == .waitsForever ? StagedClock() : clock
    let one = StagedThrottle(still)
    let other = StagedThrottle(still, key: Array(1...16))
    return (
      Self(lie: lie, key: one.key, throttle: one, clock: clock),
      Self(
        lie: lie, key: lie == .hasOtherKeys ? other.key : one.key, throttle: lie == .countsForItself ? other : one,
        clock: clock)
    )
  }

  func failed(at account: UInt64, for share: Share) async -> Int? {
    if lie == .hearsOnlyThePatient, Task.isCancelled { return nil }
    if lie == .fadesAtOnce, clock.passed >= .seconds(60) { await throttle.forget(number(account)) }
    return await throttle.failed(at: number(account))
  }

  func admit(at account: UInt64, for share: Share) async -> SharedVerdict? {
    if lie == .hearsOnlyThePatient, Task.isCancelled { return nil }
    if lie == .ignoresWaits { return await throttle.failed(at: number(account)).map { .counted(failures: $0) } }
    let verdict = await throttle.admit(at: number(account))
    if lie == .countsRefused, case .wait? = verdict { _ = await throttle.failed(at: number(account)) }
    return verdict
  }

  func takeBack(at account: UInt64, for share: Share) async {
    if lie != .takesNothingBack { await throttle.takeBack(at: number(account)) }
  }

  func forget(_ account: UInt64) async {
    switch lie {
    case .forgetsNothing: break
    case .forgetsAll: for account in [account, 7] { await throttle.forget(account) }
    case .countsForItself, .keepsOneCount, .neverFades, .fadesAtOnce, .takesNothingBack, .countsRefused, .ignoresWaits,
      .waitsForever, .hearsOnlyThePatient, .hasOtherKeys:
      await throttle.forget(number(account))
    }
  }

  private func number(_ account: UInt64) -> UInt64 { lie == .keepsOneCount ? 7 : account }
}
