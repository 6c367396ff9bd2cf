internal import Linux
internal import Logging
internal import WorkerThreads

/// regd's log: a queue, the thread that empties it to standard error, and the logger that everything is given.
struct DaemonLog: Sendable {
  let logger: Logger
  private let queue: LogQueue
  /// Kept for as long as the log is; the thread is not waited for, because it may be blocked in a write that is not read.
  private let thread: WorkerThreads

  /// How long regd's start and its end wait for the reader of standard error.
  static let patience: Duration = .seconds(1)

  /// - Parameter output: Where standard error leads, but in tests.
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

  /// Writes lines of this level and above from now on.
  func setLevel(_ level: Logger.Level) { queue.level.set(level) }

  var counts: LogQueue.Counts { queue.counts }

  /// Has all written that was logged, as far as it is read within a second.
  func flush() { queue.flush(within: Self.patience) }

  /// The same for the last time: nothing is written afterwards.
  func end() { queue.flush(within: Self.patience, ends: true) }
}
