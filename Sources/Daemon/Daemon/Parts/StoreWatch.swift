internal import Logging
internal import Methods
internal import Registration

/// Checks the store also while it is idle, so that the status says what is wrong without waiting for the next
/// change: a database that was replaced under its feet, a commit that could not be settled yet.
struct StoreWatch {
  /// Not the reporting one: what stays wrong is one line of the log.
  let store: any AccountStore
  let logger: Logger
  let health: Health

  private static let interval = Duration.seconds(2)

  /// Runs until it is cancelled.
  func run() async {
    var last: String?
    while !Task.isCancelled {
      let failure = await look()
      guard !Task.isCancelled else { return }
      health.note(.store, .checking, failure)
      if let failure, failure != last { logger.error("the store is not well", metadata: ["failure": "\(failure)"]) }
      last = failure
      do { try await Task.sleep(for: Self.interval) } catch { return }
    }
  }

  private func look() async -> String? {
    do throws(StoreFailure) {
      try await store.check()
      return nil
    } catch {
      return "\(error)"
    }
  }
}
