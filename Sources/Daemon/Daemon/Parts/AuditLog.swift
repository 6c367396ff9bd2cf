internal import Logging
internal import Registration

/// Writes each change of an account, as the audit has it but for the address.
struct AuditLog: Sendable {
  let logger: Logger

  /// An `AuditObserver`.
  @Sendable func note(_ entry: AuditEntry) {
    var details = ["account": "\(entry.account)", "entry": "\(entry.number)", "event": entry.change.rawValue]
    if let by = entry.by {
      details["uid"] = "\(by.uid)"
      details["pid"] = "\(by.pid)"
      details["origin"] = by.origin?.text
    }
    logger.write(.accountChanged, entry.change.rawValue, details)
  }
}
