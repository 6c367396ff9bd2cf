internal import Linux
internal import Logging
internal import Systemd
internal import Tracing
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

/// Tells the operator why regd ends: in the journal with fields, elsewhere as text.
package enum LastWords {
  /// Writes a warning to standard error. regd continues.
  package static func warn(_ message: String) {
    _ = StandardError.write(Array("regd: warning: \(message)\n".utf8), stalled: DaemonLog.patience)
  }

  /// Writes the reason why regd ends. Returns once the reason is written, but after a second at most, because the
  /// reader of standard error may have stopped reading.
  ///
  /// - Parameter reason: One problem per line.
  package static func say(_ reason: String, _ status: StartupFailure.Status) {
    // systemctl status shows this to users who may not read the journal
    ServiceManager().status("Did not start: \(reason)")
    let output = LogOutput(Descriptor.standardError.number)
    guard output.format == .journal, let log = try? DaemonLog(level: .info, output: output) else {
      _ = StandardError.write(Array("regd: \(reason)\n".utf8), stalled: DaemonLog.patience)
      return
    }
    for line in reason.split(separator: "\n") {
      log.logger.write(.startFailed, "\(LogMessage.startFailed.text): \(line)", ["status": "\(status.rawValue)"])
    }
    log.end()
  }
}

extension Logger.MetadataProvider {
  /// Identifies the current task's work: the method, the caller, the account, and the id that all lines of a request share with
  /// the upstream's `traceparent`.
  static let trace = Logger.MetadataProvider {
    guard let trace = Trace.current else { return [:] }
    var metadata: Logger.Metadata = ["method": "\(trace.operation)", "request": "\(trace.id)"]
    if let caller = trace.caller {
      metadata["uid"] = "\(caller.uid)"
      metadata["pid"] = "\(caller.pid)"
    }
    if let account = trace.account { metadata["account"] = "\(account)" }
    return metadata
  }
}
