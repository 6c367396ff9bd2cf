internal import RegdClient
internal import Registration

/// WordPress's users, as in the output of `wp user list`, an export of the table `wp_users`, or a dump of MySQL.
struct WordPressSource: AccountSource {
  let columns = WantedColumns(
    needed: ["user_email", "user_pass"],
    optional: ["id", "user_login", "user_registered", "user_status", "spam", "deleted"])

  func format(_ beginning: ArraySlice<UInt8>) -> RecordFormat {
    isOfMySQL(beginning) ? .inserts(table: "users", hasPrefix: true) : jsonOrRows(beginning)
  }

  func name(_ fields: JSONValue) -> String? { fields.text("user_email") ?? fields.text("user_login") }

  func email(_ fields: JSONValue) throws(RecordRefusal) -> String? {
    if try fields.flag("deleted") == true { throw .deleted }
    return try fields.address("user_email")
  }

  func account(_ fields: JSONValue, _ email: String) throws(RecordRefusal) -> SourceAccount {
    var account = SourceAccount { () throws(RecordRefusal) in try fields.hash("user_pass") }
    if try fields.flag("spam") == true { account.state = .disabled }
    // WordPress itself writes 0. BuddyPress writes 1 for spam, and 2 before the account is activated.
    if let status = fields.text("user_status"), status != "0" { account.state = .disabled }
    // WordPress stores this time in UTC, without an offset
    account.createdAt = try Times.created(fields.text("user_registered"))
    account.id = fields.text("ID") ?? fields.text("id")
    return account
  }
}
