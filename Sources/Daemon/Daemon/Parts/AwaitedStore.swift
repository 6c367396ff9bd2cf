internal import AsyncPrimitives
internal import Registration
internal import WorkerThreads

/// A store whose server could not be used when regd started. regd serves what needs no store, and meanwhile tries to open
/// the store.
package final class AwaitedStore: Sendable {
  typealias Attempt = @Sendable () throws(StartupFailure) -> StoreOpening

  /// Why the store is not open. Each attempt that fails replaces it.
  let reason: Reloadable<String>
  private let attempt: Attempt
  private let pause: Duration
  /// The thread of the attempts, which block. It may outlast the daemon's other parts by an attempt.
  private let thread: WorkerThreads
  /// Whether the work that needs the store may begin. False if regd stops first.
  private let beginning = Promise<Bool>()

  /// - Parameters:
  ///   - reason: Why the first attempt has failed.
  ///   - pause: The time between two attempts.
  ///   - attempt: Tries to open the store, and replaces `reason`. May block.
  init(
    _ reason: Reloadable<String>, pause: Duration = .seconds(1), attempt: @escaping Attempt
  ) throws(WorkerThreads.StartFailure) {
    (self.reason, self.pause, self.attempt) = (reason, pause, attempt)
    thread = try WorkerThreads(name: "regd-store", count: 1)
  }

  /// Takes the place of the store until it is open.
  var placeholder: OpenStore { OpenStore(UnopenedEngine(reason)) }

  /// Tries until the store is open.
  ///
  /// - Returns: The store, or nil if the task was cancelled before.
  /// - Throws: `StartupFailure` if the store turns out to be one that regd cannot use.
  func open() async throws(StartupFailure) -> OpenStore? {
    while true {
      do { try await Task.sleep(for: pause) } catch { return nil }
      guard let tried = await outcomeOfAttempt() else { return nil }
      if case .open(let store) = try tried.get() { return store }
    }
  }

  /// The outcome of one attempt, or nil if the task was cancelled before.
  private func outcomeOfAttempt() async -> Result<StoreOpening, StartupFailure>? {
    let outcome = Promise<Result<StoreOpening, StartupFailure>?>()
    thread.submit { [attempt] in
      let tried: Result<StoreOpening, StartupFailure> = Result { () throws(StartupFailure) in try attempt() }
      outcome.fulfill(tried)
    }
    return await outcome.value(onCancel: { outcome.fulfill(nil) })
  }

  /// Lets the work begin that needs the store.
  func begin() { beginning.fulfill(true) }

  /// Waits until the store is open. Only one task may call this.
  ///
  /// - Returns: False if the task was cancelled before.
  func hasBegun() async -> Bool { await beginning.value(onCancel: { [beginning] in beginning.fulfill(false) }) }
}
