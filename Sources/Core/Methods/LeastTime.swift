internal import Registration

/// Gives answers a least duration if their time must not reveal whether there is an account, or what is wrong with an
/// invitation. The steps are the same in each case, but their times differ by microseconds (a row that exists is read), so
/// without this many precise measurements would tell the cases apart.
enum LeastTime {
  private static let duration = Duration.milliseconds(20)

  /// Returns when the time is up; earlier if the caller has gone.
  static func pass(since begun: ContinuousClock.Instant) async {
    try? await Task.sleep(until: begun + duration, clock: .continuous)
  }

  static func pass(since begun: ContinuousClock.Instant, with outcome: RegistrationOutcome) async {
    if outcome == .invitationRejected { await pass(since: begun) }
  }
}
