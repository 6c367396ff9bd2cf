internal import Daemon
internal import Logging

/// A log that writes each line at once.
struct SimulatedLog: RunningLog {
  let write: @Sendable (String) -> Void

  var logger: Logger { Logger(label: "regd") { [write] _ in Handler(write: write) } }
  var counts: LogQueue.Counts { LogQueue.Counts() }
  func setLevel(_ level: Logger.Level) {}
  func flush() {}

  private struct Handler: LogHandler {
    let write: @Sendable (String) -> Void
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let details = metadata.merging(event.metadata ?? [:]) { $1 }.map { "\($0.key)=\($0.value)" }.sorted()
      write("\(event.level) \(event.message) \(details.joined(separator: " "))")
    }
  }
}
