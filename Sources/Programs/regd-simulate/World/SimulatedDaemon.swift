internal import Registration

/// One simulated regd: its present process, and the times of its stop, restart and pause.
final class SimulatedDaemon {
  let number: Int
  var process: SimulatedProcess
  /// When it was asked to stop, or nil if it was not.
  var terminatedAt: Int64?
  /// When its next process is started, nil while it runs, or `Int64.max` for never.
  var returnsAt: Int64?

  /// When it continues after its latest pause.
  var wakesAt: Int64 = 0
  /// Whether the daemon has stopped and will not start again.
  var isOver = false

  init(_ number: Int, _ process: SimulatedProcess) { (self.number, self.process) = (number, process) }

  var isUp: Bool { process.isReady && process.end == nil && terminatedAt == nil && returnsAt == nil }
}

/// The clock of a machine that is ahead of simulated time.
struct SkewedTime: TimeSource {
  let clock: any TimeSource
  let offset: Duration

  func now() -> Timestamp { clock.now().advanced(by: offset) }
}
