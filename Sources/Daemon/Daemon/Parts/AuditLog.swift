internal import Logging
internal import Methods
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

  /// A store's observer: writes each change, and publishes it.
  func observer(_ feed: EventFeed) -> AuditObserver {
    {
      note($0)
      feed.publish(Event($0))
    }
  }
}
