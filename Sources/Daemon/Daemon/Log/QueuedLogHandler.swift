internal import Logging

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
