internal import Linux
internal import Logging
internal import Synchronization
internal import WorkerThreads

/// The lines that wait for the thread that writes them. A log call appends under a short lock, and never waits for the reader
/// of standard error, even if there is no reader.
package final class LogQueue: Sendable {
  /// Counts of lines. All except `waiting` count since the start.
  package struct Counts: Equatable, Sendable {
    /// Lines that wait now.
    var waiting = 0
    /// Lines that were lost, because there was no room or no reader.
    var dropped = 0
    /// Lines that repeated others, and were counted instead of written.
    var heldBack = 0

    package init() {}
  }

  private struct State {
    var backlog: LogBacklog
    var repeats = LogRepeats()
    var counts = Counts()
    /// Whether the thread waits to be woken, or is about to wait.
    var sleeps = true
    var isEnding = false
    /// Whether a flush waits until all is written.
    var isAwaited = false
  }

  private let state: Mutex<State>
  /// Wakes the writing thread.
  private let wake: EventCounter
  /// Wakes the waiting flush.
  private let written: EventCounter
  private let output: LogOutput
  let level: LogLevel

  /// - Parameter level: The lowest level that is written by loggers without their own level.
  init(_ output: LogOutput, level: LogLevel = LogLevel(.info)) throws(WorkerThreads.StartFailure) {
    do throws(SystemError) { (wake, written) = (try EventCounter(), try EventCounter()) } catch {
      throw WorkerThreads.StartFailure(errorNumber: error.number)
    }
    self.output = output
    self.level = level
    state = Mutex(State(backlog: LogBacklog(mostAtOnce: output.mostAtOnce)))
  }

  var counts: Counts {
    state.withLock { state in
      var counts = state.counts
      counts.waiting = state.backlog.count
      return counts
    }
  }

  /// Queues a line. If the line repeats others or there is no room, only counts it.
  func append(_ record: LogRecord) {
    let now = ContinuousClock.now
    let isAsleep = state.withLock { state in
      tellSums(&state, now)
      guard state.repeats.writes(record.kind, of: record.sharer, at: now) else {
        state.counts.heldBack += 1
        return false
      }
      append(record, &state)
      defer { state.sleeps = false }
      return state.sleeps
    }
    if isAsleep { wake.signal() }
  }

  private func tellSums(_ state: inout State, _ now: ContinuousClock.Instant, ends: Bool = false) {
    for sum in state.repeats.sums(at: now, ends: ends) {
      append(LogRecord(of: sum), &state)
    }
  }

  private func append(_ record: LogRecord, _ state: inout State) {
    if !state.backlog.append(output.format.bytes(of: record)) { state.counts.dropped += 1 }
  }

  /// Writes lines until `flush(ends: true)` is called and all is written. Blocks its thread while no program reads the
  /// output.
  func run() {
    // with SIGPIPE blocked, a lost reader is an error of write(2), however the program itself handles the signal
    Signal.block([.brokenPipe])
    while true {
      let now = ContinuousClock.now
      let (text, timeout, isOver) = state.withLock { state -> ([UInt8]?, Duration?, Bool) in
        tellSums(&state, now, ends: state.isEnding)
        let text = state.backlog.take { output.format.bytes(of: LogRecord(missing: $0)) }
        state.sleeps = text == nil
        if text == nil, state.isAwaited {
          state.isAwaited = false
          written.signal()
        }
        return (text, state.repeats.nextEnd.map { $0 - now }, text == nil && state.isEnding)
      }
      if isOver { return }
      guard let text else {
        wake.wait(atMost: timeout)
        continue
      }
      if output.write(text) { continue }
      // the reader was gone, so these lines are lost, but a new reader may get later lines
      state.withLock { $0.counts.dropped += output.records(in: text) }
    }
  }

  /// Waits until all earlier lines are written, at most for `limit`, because a reader may have stopped. Only one caller
  /// at a time.
  ///
  /// - Parameter ends: Whether this is the last flush. Then the sums of held-back lines are also written.
  /// - Returns: Whether all was written.
  @discardableResult
  func flush(within limit: Duration, ends: Bool = false) -> Bool {
    state.withLock { state in
      // consumes a signal that was meant for an earlier flush, which no longer waits
      while written.wait(atMost: .zero) {}
      state.isEnding = ends
      state.isAwaited = true
      state.sleeps = false
    }
    wake.signal()
    return written.wait(atMost: limit)
  }
}
