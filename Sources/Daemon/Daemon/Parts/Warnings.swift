internal import JSONRPC
internal import Linux
internal import Logging
internal import WireProtocols

/// Warns if regd cannot do everything that the configuration demands.
enum Warnings {
  static func log(_ settings: Settings, _ logger: Logger) {
    for member in settings.unknownMembers {
      // a line for each name, because lines that differ only in their details count as repetitions
      if member.missing == .absent, member.kept == nil {
        logger.write(.memberUnknown, "\(LogMessage.memberUnknown.text): \(member.key): \(member.name)")
      } else {
        logger.write(.lookUpFailed, "\(LogMessage.lookUpFailed.text): \(member.key): \(member.warning)")
      }
    }
    if settings.registration.approvesUnverified { logger.write(.approvalUnverified) }
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

  /// Warns if the configuration sets another group or mode than the socket that was passed in at the path `passed` has,
  /// because only the service manager can change them. Defaults set nothing.
  static func logSocketRights(_ passed: String, _ configuration: Configuration, _ logger: Logger) {
    let place = configuration.settings.socket.place
    let keys = configuration.keys.unshipped.map(\.name)
    guard let status = try? FileStatus(passed), let rights = otherRights(status, place, setBy: keys) else { return }
    logger.write(.socketRights, nil, ["passed": rights.passed, "configured": rights.configured])
  }

  /// The group and mode of a socket that was passed in, and the configured ones. Nil if no key that is set differs from them.
  ///
  /// - Parameter keys: The keys whose value is not the default.
  static func otherRights(
    _ status: FileStatus, _ place: SocketPlace, setBy keys: [String]
  ) -> (passed: String, configured: String)? {
    func rights(_ group: UInt32?, _ mode: UInt32) -> String {
      let name = group.map { UserDatabase.name(ofGroup: $0) ?? "\($0)" }
      return [name, "0\(String(mode, radix: 8))"].compactMap { $0 }.joined(separator: " ")
    }
    let isOtherGroup = keys.contains("socket.group") && place.group != nil && place.group != status.group
    let isOtherMode = keys.contains("socket.mode") && place.mode != status.permissions
    guard isOtherGroup || isOtherMode else { return nil }
    return (rights(status.group, status.permissions), rights(place.group, place.mode))
  }

  /// Warns of registrations that wait for an upstream although no upstream is configured.
  static func logWaiting(_ count: Int, _ logger: Logger) {
    if count > 0 { logger.write(.deliveriesStranded, nil, ["count": "\(count)"]) }
  }

  /// Warns of mails that wait for a mail system although no mail system is configured.
  static func logMails(_ count: Int, _ logger: Logger) {
    if count > 0 { logger.write(.mailsStranded, nil, ["count": "\(count)"]) }
  }
}

/// Checks whether the machine grants as many descriptors as the configured connections need.
enum DescriptorBudget {
  /// Descriptors that regd needs besides its connections: the store, the event loops, callers that are being refused.
  private static let ownDescriptors = 128

  /// Descriptors that regd opens after the check, besides those of the server: for signals, the store's files, the
  /// first connections, and a reserve that callers cannot take.
  private static let spare = 20

  /// Checks that `count` descriptors are left, in addition to those that the rest of the start opens. Otherwise the
  /// start would fail with the error of some system call, which is less useful to an operator.
  ///
  /// - Throws: `operatingSystem` if too few are left.
  static func require(_ count: Int) throws(StartupFailure) {
    let (needed, left) = (count + spare, ThisProcess.freeDescriptors(upTo: count + spare))
    guard left >= needed else {
      throw StartupFailure(
        .operatingSystem,
        "\(needed) more file descriptors are needed, but only \(left) are left; raise LimitNOFILE= or ulimit -Hn")
    }
  }

  /// Makes Swift's pool open the descriptors of its timers, which it does at the first sleep. Must return before
  /// callers are accepted: they may take the last descriptors, and libdispatch ends the process if a timer gets none.
  static func openTimers() async { try? await Task.sleep(for: .milliseconds(1)) }

  /// How many descriptors are missing. Nil means that there are enough, or that the limit is unknown.
  static func missing(for connections: Int) -> Int? {
    guard let given = ThisProcess.descriptorLimit else { return nil }
    let needed = connections + ownDescriptors
    return given < needed ? needed - given : nil
  }
}
