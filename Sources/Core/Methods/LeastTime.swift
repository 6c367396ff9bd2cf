internal import Registration

/// The shortest time of an answer whose duration must not reveal its reason: whether there is an account, or what is wrong with an
/// invitation. The steps are the same in each case, but not to the microsecond (a row that exists is read), so that many precise
/// measurements would tell the cases apart.
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
