internal import RegdClient
internal import Registration

/// WordPress's users, as in the output of `wp user list` or an export of the table `wp_users`.
struct WordPressSource: AccountSource {
  let columns = WantedColumns(
    needed: ["user_email", "user_pass"], optional: ["id", "user_login", "user_registered", "spam", "deleted"])

  func format(_ beginning: ArraySlice<UInt8>) -> RecordFormat { jsonOrRows(beginning) }

  func name(_ fields: JSONValue) -> String? { fields.text("user_email") ?? fields.text("user_login") }

  func email(_ fields: JSONValue) throws(RecordRefusal) -> String? {
    if try fields.flag("deleted") == true { throw .deleted }
    return try fields.address("user_email")
  }

  func account(_ fields: JSONValue, _ email: String) throws(RecordRefusal) -> SourceAccount {
    guard let hash = fields.text("user_pass") else { throw .noPassword }
    var account = SourceAccount(passwordHash: hash)
    if try fields.flag("spam") == true { account.state = .disabled }
    // WordPress stores this time in UTC, without an offset
    account.createdAt = try Times.read(fields.text("user_registered"))
    account.id = fields.text("ID") ?? fields.text("id")
    return account
  }
}
