internal import Linux
internal import Logging
internal import WorkerThreads

/// regd's log: a queue, the thread that writes it to standard error, and the logger for all parts.
struct DaemonLog: Sendable {
  let logger: Logger
  private let queue: LogQueue
  /// The writing thread. No caller waits for the thread's end, because it may be blocked while it writes to a pipe
  /// without a reader.
  private let thread: WorkerThreads

  /// How long regd's start and end wait, at most, for the reader of standard error to take all lines.
  static let patience: Duration = .seconds(1)

  /// - Parameter output: Standard error, or another output in tests.
  init(
    level: Logger.Level, output: LogOutput = LogOutput(Descriptor.standardError.number)
  ) throws(WorkerThreads.StartFailure) {
    let queue = try LogQueue(output, level: LogLevel(level))
    thread = try WorkerThreads(name: "regd-log", count: 1)
    thread.submit { queue.run() }
    self.queue = queue
    logger = Logger(label: LogRecord.label) { _ in
      var handler = QueuedLogHandler(queue)
      handler.metadataProvider = .trace
      return handler
    }
  }

  /// Sets the lowest level that is written from now on.
  func setLevel(_ level: Logger.Level) { queue.level.set(level) }

  var counts: LogQueue.Counts { queue.counts }

  /// Waits at most a second until all lines are written.
  func flush() { queue.flush(within: Self.patience) }

  /// Flushes for the last time. Later lines are not written.
  func end() { queue.flush(within: Self.patience, ends: true) }
}
