internal import RegdClient
internal import Registration

/// A table of users of Devise for Rails, such as Mastodon's and GitLab's: rows of CSV, JSON, or a dump of PostgreSQL.
struct DeviseSource: AccountSource {
  let columns = WantedColumns(
    needed: ["id", "email", "encrypted_password"],
    optional: ["confirmed_at", "created_at", "state"] + TableSwitches.columns)

  func format(_ beginning: ArraySlice<UInt8>) -> RecordFormat { rowsOrDump(beginning, "encrypted_password") }

  func email(_ fields: JSONValue) throws(RecordRefusal) -> String? {
    if try TableSwitches.isDeleted(fields) { throw .deleted }
    return try fields.address("email")
  }

  func account(_ fields: JSONValue, _ email: String) throws(RecordRefusal) -> SourceAccount {
    var account = SourceAccount { () throws(RecordRefusal) in try fields.hash("encrypted_password") }
    if try TableSwitches.isOff(fields) { account.state = .disabled }
    if try isOffInGitLab(fields) { account.state = .disabled }
    // The column exists only if the model is `confirmable`. No user can then sign in before the confirmation.
    if fields["confirmed_at"] != nil, try fields.time("confirmed_at") == nil { account.proof = .shut }
    account.createdAt = try Times.created(fields.text("created_at"))
    account.id = fields.text("id")
    return account
  }

  /// Whether, by the column `state`, the account is off, as GitLab writes it (`app/models/user.rb`).
  private func isOffInGitLab(_ fields: JSONValue) throws(RecordRefusal) -> Bool {
    guard fields["state"] != nil else { return false }
    switch fields.text("state") {
    case "active": return false
    case "blocked", "ldap_blocked", "blocked_pending_approval", "banned", "deactivated": return true
    default: throw .malformed(.member("state"))
    }
  }
}

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
