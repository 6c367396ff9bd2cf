internal import Linux
internal import Methods
internal import Reasons
internal import Registration
internal import Synchronization
package import Systemd
package import WorkerThreads

/// Notifies the service manager that regd starts, serves or stops, and reports problems to it. Uses its own thread,
/// because the service manager may read slowly. Without a service manager, all calls are no-ops.
package final class ServiceStatus: Sendable {
  private struct State {
    /// The present step of the start, or nil before and after it.
    var opening: String?
    /// The status line when all is well, or nil before regd is ready.
    var serving: String?
    var troubles: [Health.Part: Health.Turn] = [:]
    /// How the store's database has gone back to an earlier state, or nil if it has not.
    var setback: StoreSetback?
    /// Whether registrations are accepted while the upstream is unreachable, and delivered later.
    var defers = false
    /// Whether a message of `note` is queued. One is enough, because it reports the state at the time of sending.
    var isNoted = false
    /// Whether a reload was announced to the service manager, but not yet its end.
    var isReloading = false
    /// Whether the stop was announced. Nothing is sent after that.
    var isStopping = false
  }

  private let state = Mutex(State())
  private let manager: ServiceManager
  /// The thread that sends the messages, or nil if there is no service manager.
  private let thread: WorkerThreads?
  /// Wakes the thread early while it asks for more time.
  private let wake: EventCounter
  /// Signaled when the service manager has got all messages.
  private let told: EventCounter
  /// During the start, regd asks the service manager every `extensionPause` for `extensionTime` more, but not longer
  /// than `longestStart`, so that an endless start fails.
  private static let extensionPause: Duration = .seconds(5)
  private static let extensionTime: Duration = .seconds(30)
  private static let longestStart: Duration = .seconds(3600)

  package init(_ manager: ServiceManager = ServiceManager()) throws(WorkerThreads.StartFailure) {
    self.manager = manager
    thread = manager.isThere ? try WorkerThreads(name: "regd-systemd", count: 1) : nil
    do throws(SystemError) { (wake, told) = (try EventCounter(), try EventCounter()) } catch {
      throw WorkerThreads.StartFailure(errorNumber: error.number)
    }
  }

  // MARK: The start

  /// Asks the service manager for more time from now on, until `ready` or `end`, because the step may take long.
  func begin(_ what: String) {
    state.withLock { $0.opening = what }
    thread?.submit { [self] in
      let end = ContinuousClock.now + Self.longestStart
      while ContinuousClock.now < end, let what = state.withLock(\.opening) {
        manager.extendStart(by: Self.extensionTime, status: "Starting: \(what)")
        wake.wait(atMost: Self.extensionPause)
      }
    }
  }

  /// Names the next step of the start.
  func goOn(_ what: String) {
    state.withLock { $0.opening = what }
    wake.signal()
  }

  private func endOpening() {
    state.withLock { $0.opening = nil }
    wake.signal()
  }

  // MARK: Afterwards

  /// Announces that regd serves, or continues to serve after a reload.
  ///
  /// - Parameters:
  ///   - serving: The status line when all is well.
  ///   - defers: Whether registrations are accepted while the upstream is unreachable, and delivered later.
  ///   - told: Called once the service manager was notified, or at once if there is no service manager. Never called if
  ///     regd is stopping.
  func ready(_ serving: String, defers: Bool, told: @escaping @Sendable () -> Void = {}) {
    endOpening()
    state.withLock { ($0.serving, $0.defers) = (serving, defers) }
    guard thread != nil else { return told() }
    tell { [manager] state in
      state.isReloading = false
      if let text = Self.text(state) { manager.ready(status: text) }
      told()
    }
  }

  /// Reports a change. This is a `Health` observer.
  @Sendable func note(_ turn: Health.Turn) {
    note { $0.troubles[turn.part] = turn.failure == nil ? nil : turn }
  }

  /// Reports that the store's database has gone back to an earlier state, or, with nil, that it no longer has.
  func note(_ setback: StoreSetback?) { note { $0.setback = setback } }

  private func note(_ change: (inout State) -> Void) {
    let isNoted = state.withLock { state in
      change(&state)
      defer { state.isNoted = true }
      return state.isNoted
    }
    // otherwise an upstream that fails and recovers often would fill the queue while the service manager does not read
    if isNoted { return }
    tell { [manager] state in
      if !state.isReloading, let text = Self.text(state) { manager.status(text) }
    }
  }

  /// Announces a reload, which `ready` ends.
  func reloading() {
    tell { [manager] state in
      state.isReloading = true
      manager.reloading(status: "Reloading the configuration")
    }
  }

  func stopping(_ status: String) {
    tell { [manager] state in
      // systemd 252 ignores STOPPING=1 during a reload
      if state.isReloading, let text = Self.text(state) { manager.ready(status: text) }
      state.isStopping = true
      manager.stopping(status: status)
    }
  }

  /// Queues a message. `send` gets the state at the time of sending. No-op once regd stops.
  private func tell(_ send: @escaping @Sendable (inout State) -> Void) {
    thread?.submit { [self] in
      var now = state.withLock { state in
        defer { state.isNoted = false }
        return state
      }
      guard !now.isStopping else { return }
      send(&now)
      state.withLock { ($0.isReloading, $0.isStopping) = (now.isReloading, now.isStopping) }
    }
  }

  /// Waits until the service manager has got all messages, but at most a second, because it may not read them.
  func end() {
    endOpening()
    guard let thread else { return }
    thread.submit { [told] in told.signal() }
    told.wait(atMost: .seconds(1))
  }

  // MARK: Words

  private static func trouble(_ turn: Health.Turn, _ state: State) -> String {
    // a setback usually begins with a lost connection, which explains less
    let setback = turn.part == .store ? state.setback.map { "\($0)" } : nil
    let since = "since \(turn.since.rfc3339.prefix(19))Z (\(setback ?? turn.failure ?? ""))"
    let error = turn.reason.map { "get \($0.name)" } ?? "get errors"
    switch turn.part {
    case .network where state.defers:
      return "the upstream has been failing \(since): registrations are deferred, other callers \(error)"
    case .network: return "the upstream has been failing \(since): callers that need it \(error)"
    case .mail where turn.failure?.hasPrefix("refused") == true:
      return "the mail system has been refusing every email \(since): refused emails are not sent again"
    case .mail: return "the mail system has been failing \(since): emails are waiting"
    case .store: return "the store has been failing \(since): callers that need it \(error)"
    }
  }

  /// The status line, or nil before regd is ready.
  private static func text(_ state: State) -> String? {
    guard let serving = state.serving else { return nil }
    let troubles = Health.Part.allCases.compactMap { part in
      state.troubles[part].map { trouble($0, state) }
    }
    return troubles.isEmpty ? serving : "Degraded: \(troubles.joined(separator: "; ")). \(serving)"
  }
}
