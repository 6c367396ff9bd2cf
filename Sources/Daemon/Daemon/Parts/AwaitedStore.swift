internal import AsyncPrimitives
internal import Logging
internal import PasswordHashing
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
  var placeholder: OpenStore { OpenStore(UnopenedEngine(reason, SodiumAuditCryptography())) }

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

/// Opens the store that the configuration chooses, at the start.
struct StoreOpener: Sendable {
  /// Why the store is not open yet, for callers' errors in the log and for `daemon.status`.
  let reason: Reloadable<String>
  private let configuration: Configuration
  private let service: ServiceStatus
  private let logger: Logger
  private let context: StoreContext

  init(
    _ configuration: Configuration, _ claimant: Claimant, damaged: @escaping DamageObserver,
    observer: @escaping AuditObserver, _ service: ServiceStatus, _ logger: Logger
  ) {
    let reason = Reloadable("it is not open yet")
    (self.reason, self.configuration, self.service, self.logger) = (reason, configuration, service, logger)
    context = StoreContext(
      claimant, cryptography: SodiumAuditCryptography(), damaged: damaged, observer: observer,
      doing: { what in
        reason.replace(what)
        service.goOn(what)
      })
  }

  private var store: any StoreBackend { configuration.settings.store.chosen }

  /// Announces the opening to the service manager.
  func begin() { service.begin("opening the store\(store.path.map { " \($0)" } ?? "")") }

  /// Tries to open the store.
  ///
  /// - Throws: `StartupFailure` if time alone does not cure the failure.
  func attempt() throws(StartupFailure) -> StoreOpening {
    do throws(StoreFailure) {
      let opening = try store.attempt(context)
      switch opening {
      case .open(let open):
        // no URL of a server, because it may contain a password
        if open.isNew {
          logger.write(.storeCreated, nil, store.path.map { ["path": $0] } ?? ["store": type(of: store).name])
        }
      case .away(let why):
        reason.replace(why)
        service.wait(why)
      }
      return opening
    } catch {
      throw StartupFailure(error, of: store) { configuration.keys[$0]?.place }
    }
  }
}
