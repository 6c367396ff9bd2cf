internal import Liveness
internal import Logging
internal import Synchronization
internal import Systemd
internal import WorkerThreads

/// Runs the `Watchdog` while regd serves, if the service manager expects beats (periodic signs of life).
final class Watch: Sendable {
  private let interval: Duration?
  private let logger: Logger
  private let probes: @Sendable () -> [Probe]
  private let state = Mutex(State())

  private struct State {
    var watchdog: Watchdog?
    /// Set by `stop`. A slow service manager reads READY=1 late, so `begin` may be called after `stop`. Then `begin`
    /// stops its watchdog at once.
    var isOver = false
  }

  /// - Parameters:
  ///   - interval: How long the service manager waits for a beat, or nil if it expects none.
  ///   - probes: Read anew for every beat, because a replaced store has other probes.
  init(interval: Duration?, logger: Logger, probes: @escaping @Sendable () -> [Probe]) {
    self.interval = interval
    self.logger = logger
    self.probes = probes
  }

  /// Starts the watchdog. A no-op after `stop`.
  ///
  /// - Parameter more: Further parts to check.
  func begin(with more: [Probe]) {
    guard let interval else { return }
    do {
      let started = try Watchdog(
        { [probes] in more + probes() }, every: interval / 2, beat: ServiceManager().beat,
        report: { [logger] in Self.write($0, logger) })
      let isOver = state.withLock { state in
        if !state.isOver { state.watchdog = started }
        return state.isOver
      }
      if isOver { started.stop() }
    } catch {
      // without beats the service manager restarts regd, and regd's log explains why
      logger.write(.stuck, nil, ["part": "the watchdog's thread (errno \(error.errorNumber))"])
    }
  }

  /// Stops the watchdog. Returns when it no longer asks any part.
  func stop() {
    let started = state.withLock { state in
      state.isOver = true
      return state.watchdog.take()
    }
    started?.stop()
  }

  private static func write(_ report: Watchdog.Report, _ logger: Logger) {
    switch report {
    case .stuck(let parts): logger.write(.stuck, nil, ["part": parts.joined(separator: ", ")])
    case .unstuck(let parts): logger.write(.unstuck, nil, ["part": parts.joined(separator: ", ")])
    }
  }
}
