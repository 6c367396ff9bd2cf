package import Logging
package import Methods
package import Registration

/// Logs each change of an account or invitation, like the audit but without the address.
package struct AuditLog: Sendable {
  let logger: Logger

  package init(logger: Logger) { self.logger = logger }

  /// Logs one change. This is an `AuditObserver`.
  @Sendable func note(_ entry: AuditEntry) {
    let message: LogMessage =
      entry.invitation != nil ? .invitationChanged : entry.terms != nil ? .termsAccepted : .accountChanged
    // called between a commit and its answer, so it prepares no line that is not written
    guard message.level >= logger.logLevel else { return }
    var details = ["entry": "\(entry.number)", "event": entry.change.rawValue]
    details["account"] = entry.account?.description
    details["invitation"] = entry.invitation?.description
    details["terms"] = entry.terms
    if let by = entry.by {
      details["uid"] = "\(by.uid)"
      details["pid"] = "\(by.pid)"
      details["origin"] = by.origin?.text
      details["door"] = by.door
    }
    logger.write(message, entry.change.rawValue, details)
  }

  /// Returns a store's observer, which logs and publishes each change.
  package func observer(_ feed: EventFeed) -> AuditObserver {
    {
      note($0)
      feed.publish(Event($0))
    }
  }
}
