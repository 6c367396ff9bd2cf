internal import RegdClient
internal import Registration

/// The columns by which web applications switch accounts off in their table of users.
enum TableSwitches {
  /// Columns whose value true switches the account off: `disabled` of Mastodon, and similar columns of others.
  private static let off = [
    "disabled", "blocked", "banned", "suspended", "is_disabled", "is_blocked", "is_banned", "is_suspended",
  ]
  /// Columns that must be true: `approved` of Mastodon, and similar columns of others.
  private static let on = ["approved", "active", "enabled", "is_active", "is_enabled"]
  /// Columns with the time at which the account was switched off.
  private static let offSince = ["disabled_at", "deactivated_at", "blocked_at", "banned_at", "suspended_at"]
  /// Columns with the time at which the account was deleted, although its row is still there.
  private static let deletedSince = ["deleted_at", "discarded_at"]

  static let columns = off + on + offSince + deletedSince

  static func isDeleted(_ fields: JSONValue) throws(RecordRefusal) -> Bool {
    for name in deletedSince where try fields.time(name) != nil { return true }
    return false
  }

  /// Reads all columns, so that a value of another type is never overlooked.
  static func isOff(_ fields: JSONValue) throws(RecordRefusal) -> Bool {
    var isOff = false
    for name in off where try fields.flag(name) == true { isOff = true }
    for name in on where try !fields.isOn(name) { isOff = true }
    for name in offSince where try fields.time(name) != nil { isOff = true }
    return isOff
  }
}
