internal import JSONRPC
internal import Logging

/// What keeps regd from doing all that the configuration says.
enum Warnings {
  static func log(_ settings: Settings, _ logger: Logger) {
    for name in settings.access.unknown {
      logger.warning(
        "access.admin names the \(name), which this machine does not have; nobody is an administrator by it")
    }
    if let missing = DescriptorBudget.missing(for: settings.limits.limits.connections) {
      logger.warning(
        "limits.connections is \(settings.limits.limits.connections), and \(missing) descriptors are missing for that; see LimitNOFILE= or ulimit -Hn"
      )
    }
  }

  /// - Parameter count: Registrations that wait for an upstream, where there is none.
  static func logWaiting(_ count: Int, _ logger: Logger) {
    guard count > 0 else { return }
    logger.warning(
      "\(count) registrations wait for an upstream, and network.backend is none: they stay pending (regctl outbox)")
  }
}
