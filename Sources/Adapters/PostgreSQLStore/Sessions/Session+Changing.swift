internal import Linux
internal import Registration

extension Session {
  /// How long a change is retried while other transactions interfere. After this time, its caller has given up.
  private static let patience = Duration.seconds(10)

  /// Runs a transaction, and retries it, with jitter, if another transaction interfered.
  ///
  /// - Parameter isLate: Whether cancellation is ignored. If not, a cancelled change that has not sent its COMMIT
  ///   leaves nothing behind, and a cancelled change that has sent it is in doubt.
  func change<Value: Sendable>(
    evenIfLate isLate: Bool, _ transaction: @Sendable (Connection) throws(ServerFailure) -> Value
  ) throws(StoreFailure) -> Value {
    let deadline = ContinuousClock.now + Self.patience
    var round = 0
    while true {
      guard isLate || !Task.isCancelled else { throw .cancelled }
      do throws(ServerFailure) {
        return try use(evenIfLate: isLate, transaction)
      } catch {
        guard error.isWorthRepeating, ContinuousClock.now < deadline else { throw error.storeFailure }
        round += 1
        ThisThread.sleep(for: .milliseconds(Int.random(in: 1...min(200, 2 << min(round, 7)))))
      }
    }
  }

  /// Settles the changes in doubt that have ended (`CommitCoordinator.settle`).
  func settle(_ coordinator: CommitCoordinator, evenIfLate isLate: Bool) throws(StoreFailure) {
    do throws(ServerFailure) {
      try use(evenIfLate: isLate) { (connection) throws(ServerFailure) in try coordinator.settle(connection) }
    } catch {
      guard error.kind != .cancelled else { throw .cancelled }
      throw .unavailable(
        detail: "what became of a change whose commit has no answer cannot be found out: \(error.detail)")
    }
  }
}
