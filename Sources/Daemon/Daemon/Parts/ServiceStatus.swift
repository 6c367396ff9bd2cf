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
  /// A step of the start.
  private struct Step {
    let name: String
    /// What the step does now, or why it waits, or nil at its beginning.
    var detail: String?
    /// Whether the step waits for another server, for however long that takes.
    var isWaiting = false
  }

  private struct State {
    /// The present step of the start, or nil before and after it.
    var step: Step?
    /// The status line when all is well, or nil before regd serves.
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
  /// than `longestStart`, so that an endless start fails. While regd serves and waits for another server, it asks without
  /// end.
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

  /// Asks the service manager for more time from now on, until `ready`, `stopping` or `end`, because the step may take
  /// long.
  func begin(_ step: String) {
    state.withLock { $0.step = Step(name: step) }
    thread?.submit { [self] in
      var end = ContinuousClock.now + Self.longestStart
      while let (status, isWaiting) = nextStatusOfStart() {
        if isWaiting { end = .now + Self.longestStart }
        guard .now < end else { return }
        manager.extendStart(by: Self.extensionTime, status: status)
        wake.wait(atMost: Self.extensionPause)
      }
    }
  }

  /// The status line, and whether the step waits for another server. Nil if the start has ended.
  private func nextStatusOfStart() -> (status: String, isWaiting: Bool)? {
    state.withLock { state in
      guard let step = state.step else { return nil }
      state.isNoted = false
      let words = ["Starting", step.name, step.detail].compactMap { $0 }
      return (Self.text(state) ?? words.joined(separator: ": "), step.isWaiting)
    }
  }

  /// Names what the step does now.
  func goOn(_ detail: String) { continueStep(detail, isWaiting: false) }

  /// Names the reason why the step waits for another server.
  func wait(_ reason: String) { continueStep(reason, isWaiting: true) }

  private func continueStep(_ detail: String, isWaiting: Bool) {
    let isNews = state.withLock { state in
      guard let step = state.step else { return false }
      state.step = Step(name: step.name, detail: detail, isWaiting: isWaiting)
      return step.detail != detail
    }
    if isNews { wake.signal() }
  }

  /// Sets the status line when all is well. Does not announce the end of a start or a reload.
  ///
  /// - Parameter defers: As in `ready`.
  func serve(_ serving: String, defers: Bool) {
    state.withLock { ($0.serving, $0.defers) = (serving, defers) }
    wake.signal()
  }

  private func endStart() {
    state.withLock { $0.step = nil }
    wake.signal()
  }

  // MARK: Afterwards

  /// Announces that regd is ready.
  ///
  /// - Parameters:
  ///   - serving: The status line when all is well.
  ///   - defers: Whether registrations are accepted while the upstream is unreachable, and delivered later.
  ///   - told: Called once the service manager was notified, or at once if there is no service manager. Never called if
  ///     regd is stopping.
  func ready(_ serving: String, defers: Bool, told: @escaping @Sendable () -> Void) {
    state.withLock { ($0.step, $0.serving, $0.defers) = (nil, serving, defers) }
    announce(told)
  }

  /// Announces that a start that has served before is complete. The status line is that of `serve`, or of a reload since.
  func readyAtLast() {
    state.withLock { $0.step = nil }
    announce {}
  }

  private func announce(_ told: @escaping @Sendable () -> Void) {
    wake.signal()
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
    let (isNoted, isStarting) = state.withLock { state in
      change(&state)
      defer { state.isNoted = true }
      return (state.isNoted, state.step != nil)
    }
    // otherwise an upstream that fails and recovers often would fill the queue while the service manager does not read
    if isNoted { return }
    // the thread sends the status with its requests for more time
    if isStarting { return wake.signal() }
    tell { [manager] state in
      if !state.isReloading, let text = Self.text(state) { manager.status(text) }
    }
  }

  /// Announces a reload, which `reloaded` ends. A start remains announced as such, because the service manager would take
  /// the end of a reload for the end of the start.
  func reloading() {
    if isStarting { return }
    tell { [manager] state in
      state.isReloading = true
      manager.reloading(status: "Reloading the configuration")
    }
  }

  /// Announces the end of a reload.
  ///
  /// - Parameters:
  ///   - serving: As in `ready`.
  ///   - defers: As in `ready`.
  func reloaded(_ serving: String, defers: Bool) {
    // set first, so that the end of a start meanwhile announces this status line
    serve(serving, defers: defers)
    if !isStarting { announce {} }
  }

  private var isStarting: Bool { state.withLock { $0.step != nil } }

  func stopping(_ status: String) {
    endStart()
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
    endStart()
    guard let thread else { return }
    thread.submit { [told] in told.signal() }
    told.wait(atMost: .seconds(1))
  }

  // MARK: Words

  private static func trouble(_ turn: Health.Turn, _ state: State) -> String {
    // a setback usually begins with a lost connection, which explains less, and the reason why a start waits may change
    let newer = turn.part == .store ? state.setback.map { "\($0)" } ?? state.step?.detail : nil
    let since = "since \(turn.since.rfc3339.prefix(19))Z (\(newer ?? turn.failure ?? ""))"
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

  /// The status line, or nil before regd serves.
  private static func text(_ state: State) -> String? {
    guard let serving = state.serving else { return nil }
    let troubles = Health.Part.allCases.compactMap { part in
      state.troubles[part].map { trouble($0, state) }
    }
    return troubles.isEmpty ? serving : "Degraded: \(troubles.joined(separator: "; ")). \(serving)"
  }
}
