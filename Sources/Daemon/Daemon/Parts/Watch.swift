internal import Heartbeat
internal import Logging
internal import Synchronization
internal import Systemd
internal import WorkerThreads

/// The watchdog from when regd is ready until it stops, if the service manager wants one.
final class Watch: Sendable {
  private let interval: Duration?
  private let logger: Logger
  private let pulses: @Sendable () -> [Pulse]
  private let state = Mutex(State())

  private struct State {
    var watchdog: Watchdog?
    /// A service manager that is slow to listen hears of READY=1 when regd stops already.
    var isOver = false
  }

  /// - Parameters:
  ///   - interval: How long the service manager waits for a beat; nil if it waits for none.
  ///   - pulses: Read with every beat: another store has others.
  init(interval: Duration?, logger: Logger, pulses: @escaping @Sendable () -> [Pulse]) {
    self.interval = interval
    self.logger = logger
    self.pulses = pulses
  }

  /// Does nothing after `stop`.
  ///
  /// - Parameter more: Parts that were not there before.
  func begin(with more: [Pulse]) {
    guard let interval else { return }
    do {
      let started = try Watchdog(
        { [pulses] in more + pulses() }, every: interval / 2, beat: ServiceManager().beat,
        report: { [logger] in Self.write($0, logger) })
      let isOver = state.withLock { state in
        if !state.isOver { state.watchdog = started }
        return state.isOver
      }
      if isOver { started.stop() }
    } catch {
      // without a beat the service manager starts regd anew, and its journal says why
      logger.write(.stuck, nil, ["part": "the watchdog's thread (errno \(error.errorNumber))"])
    }
  }

  /// Returns when nothing is asked any more.
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
