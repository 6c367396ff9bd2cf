internal import Registration

/// One of the regd of a world, through all of its lives.
final class SimulatedDaemon {
  let number: Int
  var process: SimulatedProcess
  /// When it was asked to stop; nil if it was not.
  var terminatedAt: Int64?
  /// When it is started again; nil while it runs.
  var returnsAt: Int64?

  /// When it goes on that stands still, or went on the last time.
  var wakesAt: Int64 = 0
  /// Whether it has stopped for good.
  var isOver = false

  init(_ number: Int, _ process: SimulatedProcess) { (self.number, self.process) = (number, process) }

  var isUp: Bool { process.isReady && process.end == nil && terminatedAt == nil && returnsAt == nil }
}

/// The machine's clock, as one of several machines has it.
struct SkewedTime: TimeSource {
  let clock: any TimeSource
  let offset: Duration

  func now() -> Timestamp { clock.now().advanced(by: offset) }
}
