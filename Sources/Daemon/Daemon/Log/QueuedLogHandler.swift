internal import Logging

/// swift-log's way into the queue.
struct QueuedLogHandler: LogHandler {
  let queue: LogQueue
  /// Nil as long as it is the queue's, which a reload changes.
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
    var all = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 }
    if let error = event.error { all["error.message"] = "\(error)" }
    let message = "\(event.message)"
    queue.append(LogLine.kind(event.level, message, all)) {
      LogLine.text(event.level, message, all, source: event.source)
    }
  }
}
