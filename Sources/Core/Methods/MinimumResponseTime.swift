internal import Registration

/// Delays answers whose time must not reveal whether there is an account, or what is wrong with an invitation. The
/// steps are the same in each case, but their times differ by microseconds, because an existing row is read. A caller
/// could otherwise tell the cases apart by many precise measurements.
enum MinimumResponseTime {
  private static let duration = Duration.milliseconds(20)

  /// Returns once the least duration has passed since `begun`, or earlier if the task is cancelled.
  static func pass(since begun: ContinuousClock.Instant) async {
    try? await Task.sleep(until: begun + duration, clock: .continuous)
  }

  static func pass(since begun: ContinuousClock.Instant, with outcome: RegistrationOutcome) async {
    if outcome == .invitationRejected { await pass(since: begun) }
  }

  /// Hides whether a recovery that is gone was removed or is hidden (`AddressClaim.isHidden`).
  static func pass(since begun: ContinuousClock.Instant, with outcome: ProofOutcome) async {
    if outcome == .gone { await pass(since: begun) }
  }
}
