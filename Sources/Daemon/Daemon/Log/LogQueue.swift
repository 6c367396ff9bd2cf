internal import Linux
internal import Logging
internal import Synchronization
internal import WorkerThreads

/// Where log lines wait for the thread that writes them. A log call is an append under a short lock: it never waits for
/// the reader of standard error, also if there is none.
final class LogQueue: Sendable {
  /// What became of lines, since the start.
  struct Counts: Equatable, Sendable {
    /// Lines that wait now.
    var waiting = 0
    /// Lines that were lost: there was no room, or no reader any more.
    var dropped = 0
    /// Lines that repeated others, and were counted instead.
    var heldBack = 0
  }

  private struct State {
    var backlog = LogBacklog()
    var repeats = LogRepeats()
    var counts = Counts()
    /// Whether the thread waits to be woken, or is about to.
    var sleeps = true
    var isEnding = false
    /// Whether a flush waits for all to be written.
    var isAwaited = false
  }

  private let state = Mutex(State())
  /// Wakes the thread.
  private let wake: EventCounter
  /// Wakes the flush that waits.
  private let written: EventCounter
  private let descriptor: Int32
  let level: LogLevel

  /// - Parameters:
  ///   - descriptor: Where the lines go; it stays the caller's.
  ///   - level: The lowest level that loggers without one of their own write.
  init(descriptor: Int32, level: LogLevel = LogLevel(.info)) throws(WorkerThreads.StartFailure) {
    do throws(SystemError) { (wake, written) = (try EventCounter(), try EventCounter()) } catch {
      throw WorkerThreads.StartFailure(errorNumber: error.number)
    }
    self.descriptor = descriptor
    self.level = level
  }

  var counts: Counts {
    state.withLock { state in
      var counts = state.counts
      counts.waiting = state.backlog.count
      return counts
    }
  }

  /// Has a line written soon, after those before it; or counts it, if it repeats others or there is no room.
  ///
  /// - Parameter text: Made only if the line is written.
  func append(_ kind: LogRepeats.Kind, _ text: () -> [UInt8]) {
    let now = ContinuousClock.now
    let isAsleep = state.withLock { state in
      tellSums(&state, now)
      guard state.repeats.writes(kind, at: now) else {
        state.counts.heldBack += 1
        return false
      }
      if !state.backlog.append(text()) { state.counts.dropped += 1 }
      defer { state.sleeps = false }
      return state.sleeps
    }
    if isAsleep { wake.signal() }
  }

  private func tellSums(_ state: inout State, _ now: ContinuousClock.Instant, ends: Bool = false) {
    for sum in state.repeats.sums(at: now, ends: ends) {
      if !state.backlog.append(LogLine.text(of: sum)) { state.counts.dropped += 1 }
    }
  }

  /// Writes what comes, until a flush that `ends` and all is written. Blocks its thread as long as it is not read.
  func run() {
    // a reader that has gone is an error of write(2) and no signal, whatever the program makes of that
    Signal.block([.brokenPipe])
    while true {
      let now = ContinuousClock.now
      let (text, timeout, isOver) = state.withLock { state -> ([UInt8]?, Duration?, Bool) in
        tellSums(&state, now, ends: state.isEnding)
        let text = state.backlog.take { LogLine.notice(missing: $0) }
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
      if StandardError.write(text, to: descriptor, stalled: nil) { continue }
      // these have no reader any more; later lines may have one again
      let lines = text.count { $0 == UInt8(ascii: "\n") }
      state.withLock { $0.counts.dropped += lines }
    }
  }

  /// Waits until all that was logged has been written, and no longer than `limit`: a reader that stops does
  /// not hold up regd. One caller at a time.
  ///
  /// - Parameter ends: Whether nothing is written afterwards; what was held back is summed up then, too.
  /// - Returns: Whether all was written.
  @discardableResult
  func flush(within limit: Duration, ends: Bool = false) -> Bool {
    state.withLock { state in
      // what an earlier caller did not wait for any more
      while written.wait(atMost: .zero) {}
      state.isEnding = ends
      state.isAwaited = true
      state.sleeps = false
    }
    wake.signal()
    return written.wait(atMost: limit)
  }
}
