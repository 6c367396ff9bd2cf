internal import DequeModule
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

/// A queue of lines that wait to be written, limited in bytes. It has no lock and does no I/O.
///
/// Once full, the backlog drops new lines until half of its bytes have been written. Then it appends a line with the
/// number of dropped lines.
struct LogBacklog {
  /// The capacity in bytes, enough for about ten thousand lines.
  static let capacity = 1 << 20
  /// The most bytes of one write: as many as a pipe accepts completely or not at all (PIPE_BUF, pipe(7)), so that other
  /// writers' lines do not mix in.
  static let mostAtOnce = 4096

  private var lines = Deque<[UInt8]>()
  private var bytes = 0
  /// Dropped lines that no notice has reported yet. While there are any, new lines are dropped too.
  private var missing = 0
  private let capacity: Int
  private let mostAtOnce: Int

  /// - Parameter mostAtOnce: The most bytes of lines that one `take` returns together. A longer line is returned alone.
  init(capacity: Int = Self.capacity, mostAtOnce: Int = Self.mostAtOnce) {
    self.capacity = capacity
    self.mostAtOnce = mostAtOnce
  }

  var count: Int { lines.count }

  /// - Returns: Whether there was room for the line.
  mutating func append(_ line: [UInt8]) -> Bool {
    guard missing == 0, bytes + line.count <= capacity else {
      missing += 1
      return false
    }
    lines.append(line)
    bytes += line.count
    return true
  }

  /// Removes and returns the next lines to write at once, or nil if none waits.
  ///
  /// - Parameter notice: Makes the line that reports the dropped lines.
  mutating func take(notice: (_ missing: Int) -> [UInt8]) -> [UInt8]? {
    if missing > 0, bytes <= capacity / 2 {
      let line = notice(missing)
      lines.append(line)
      bytes += line.count
      missing = 0
    }
    guard var text = lines.popFirst() else { return nil }
    while let next = lines.first, text.count + next.count <= mostAtOnce, let line = lines.popFirst() { text += line }
    bytes -= text.count
    return text
  }
}

/// The lowest level that is written. Atomic, because every log call reads it while a reload may change it.
final class LogLevel: Sendable {
  private let index: Atomic<Int>

  init(_ level: Logger.Level) { index = Atomic(Self.index(of: level)) }

  var now: Logger.Level { Logger.Level.allCases[index.load(ordering: .relaxed)] }

  func set(_ level: Logger.Level) { index.store(Self.index(of: level), ordering: .relaxed) }

  private static func index(of level: Logger.Level) -> Int { Logger.Level.allCases.firstIndex(of: level) ?? 0 }
}

/// Passes swift-log's events to the queue.
struct QueuedLogHandler: LogHandler {
  let queue: LogQueue
  /// This handler's own level, or nil for the queue's level, which a reload may change.
  private var ownLevel: Logger.Level?
  var logLevel: Logger.Level {
    get { ownLevel ?? queue.level.now }
    set { ownLevel = newValue }
  }
  var metadata: Logger.Metadata = [:]
  var metadataProvider: Logger.MetadataProvider?

  init(_ queue: LogQueue) { self.queue = queue }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let own = event.metadata ?? [:]
    var details = metadata.isEmpty ? own : metadata.merging(own) { $1 }
    if let error = event.error { details["error"] = "\(error)" }
    queue.append(
      LogRecord(
        event.level, "\(event.message)", details, trace: metadataProvider?.get() ?? [:], source: event.source))
  }
}
