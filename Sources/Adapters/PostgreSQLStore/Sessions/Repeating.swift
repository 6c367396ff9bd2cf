/// Looks again and again, with growing pauses, until a change of another session has ended. Needs no session between
/// the looks, however long the wait takes. Waiting for a lock in the server would need a session all the time.
enum Repeating {
  private static let longestPause = Duration.milliseconds(100)

  /// - Parameters:
  ///   - limit: How long to look at most.
  ///   - isLate: Whether to ignore cancellation.
  ///   - hasEnded: Looks once.
  /// - Returns: Whether it has ended in time. False also if the task was cancelled, unless `isLate`.
  static func until<Failure: Error>(
    atMost limit: Duration, evenIfLate isLate: Bool = false, _ hasEnded: () async throws(Failure) -> Bool
  ) async throws(Failure) -> Bool {
    let deadline = ContinuousClock.now + limit
    var pause = Duration.milliseconds(1)
    while try await !hasEnded() {
      guard .now < deadline, isLate || !Task.isCancelled else { return false }
      await Self.pause(pause, isLate)
      pause = min(pause * 2, longestPause)
    }
    return true
  }

  private static func pause(_ pause: Duration, _ isLate: Bool) async {
    guard isLate else {
      try? await Task.sleep(for: pause)
      return
    }
    // a separate task is not cancelled with the caller's
    await Task { try? await Task.sleep(for: pause) }.value
  }
}
