internal import Localization
internal import RegdClient
internal import Registration

/// Checks whether heads of the audit are stored. Without them, a rewrite of the whole audit cannot be detected.
enum AuditChecks {
  private static let week = 7 * 86_400

  static func heads(_ facts: Facts) -> Finding? {
    // an older regd has no tree, and an empty audit has nothing to lose
    guard let audit = facts.daemon.status.result?["audit"], audit["size"]?.integer != 0 else { return nil }
    if let time = audit["headAt"]?.string, let age = seconds(since: time, facts) {
      return age > week ? warning(.old, time) : .ok(said(.stored, time))
    }
    guard let time = facts.daemon.firstEntry.result?["events"]?.array?.first?["time"]?.string,
      let age = seconds(since: time, facts)
    else { return nil }
    return age > week ? warning(.never, time) : .ok(said(.notYet, time))
  }

  /// The seconds since a time, or nil if the text is not a time.
  private static func seconds(since time: String, _ facts: Facts) -> Int? {
    Timestamp(anyRFC3339: time).map { facts.machine.now - Int($0.microseconds / 1_000_000) }
  }

  private static func warning(_ key: DoctorAuditMessageKey, _ time: String) -> Finding {
    .warning(
      said(key, time), type: Finding.typing("systemctl enable --now regd-audit-head.timer", .storesHeads))
  }

  private static func said(_ key: DoctorAuditMessageKey, _ time: String) -> LocalizedMessage {
    LocalizedMessage(key, ["time": .text(time)])
  }
}
