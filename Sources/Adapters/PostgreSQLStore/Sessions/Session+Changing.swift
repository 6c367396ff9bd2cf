internal import Linux
internal import Registration

extension Session {
  /// How long a change is retried while other transactions are in the way; its caller has given up by then.
  private static let patience = Duration.seconds(10)

  /// Runs a transaction, and retries it, with jitter, if another one was in the way.
  func change<Value: Sendable>(
    _ transaction: @Sendable (Connection) throws(ServerFailure) -> Value
  ) throws(StoreFailure) -> Value {
    let deadline = ContinuousClock.now + Self.patience
    var round = 0
    while true {
      do throws(ServerFailure) {
        return try use(transaction)
      } catch {
        guard error.isWorthRepeating, ContinuousClock.now < deadline else { throw error.storeFailure }
        round += 1
        ThisThread.sleep(for: .milliseconds(Int.random(in: 1...min(200, 2 << min(round, 7)))))
      }
    }
  }

  /// Settles the changes in doubt that have ended (`Committing.settle`).
  func settle(_ committing: Committing) throws(StoreFailure) {
    do throws(ServerFailure) {
      try use { (connection) throws(ServerFailure) in try committing.settle(connection) }
    } catch {
      throw .unavailable(
        detail: "what became of a change whose commit has no answer cannot be found out: \(error.detail)")
    }
  }
}
