internal import Logging
internal import Tracing

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
