internal import RegdClient
internal import Registration

/// Users of a database connection, as Auth0's support exports them with their hashes: one object per line.
struct Auth0Source: AccountSource {
  let columns = WantedColumns(needed: ["email", "passwordhash"], optional: ["email_verified", "created_at"])

  func format(_ beginning: ArraySlice<UInt8>) -> RecordFormat { .json(array: nil) }

  func account(_ fields: JSONValue, _ email: String) throws(RecordRefusal) -> SourceAccount {
    guard let hash = fields.text("passwordHash") else { throw .noPassword }
    var account = SourceAccount(passwordHash: hash)
    if try fields.flag("blocked") == true { account.state = .disabled }
    if try fields.flag("email_verified") == false { account.proof = .open }
    account.createdAt = try Times.read(fields["created_at"]?.text("$date") ?? fields.text("created_at"))
    account.id = fields["_id"]?.text("$oid") ?? fields.text("user_id")
    return account
  }
}
