internal import Dialogues
internal import JSONRPC
internal import Logging

/// Warns if regd cannot do everything that the configuration demands.
enum Warnings {
  static func log(_ settings: Settings, _ logger: Logger) {
    for member in settings.unknownMembers {
      // a line for each name, because lines that differ only in their details count as repetitions
      logger.write(.memberUnknown, "\(LogMessage.memberUnknown.text): \(member.key): \(member.name)")
    }
    let connections = settings.limits.limits.connections
    if let missing = DescriptorBudget.missing(for: connections) {
      logger.write(.descriptorsMissing, nil, ["connections": "\(connections)", "missing": "\(missing)"])
    }
    KnownClientFile.warnIfHomeless(settings.store, logger)
  }

  /// Warns if the socket that was passed in, at the path `passed`, is not the configured one.
  static func logSocket(_ passed: String, _ settings: Settings, _ logger: Logger) {
    guard passed != settings.socket.path else { return }
    logger.write(.socketPassed, nil, ["passed": passed, "configured": settings.socket.path])
  }

  /// Warns of registrations that wait for an upstream although there is none.
  static func logWaiting(_ count: Int, _ logger: Logger) {
    if count > 0 { logger.write(.deliveriesStranded, nil, ["count": "\(count)"]) }
  }

  /// Warns of mails that wait for a mail system although there is none.
  static func logMails(_ count: Int, _ logger: Logger) {
    if count > 0 { logger.write(.mailsStranded, nil, ["count": "\(count)"]) }
  }
}
