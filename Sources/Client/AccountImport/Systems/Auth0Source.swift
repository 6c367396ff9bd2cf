internal import RegdClient
internal import Registration

/// Users of a database connection, as Auth0's support exports them with their hashes: one object per line.
struct Auth0Source: AccountSource {
  let columns = WantedColumns(needed: ["email", "passwordhash"], optional: ["email_verified", "created_at"])

  func format(_ beginning: ArraySlice<UInt8>) -> RecordFormat { .json(array: nil) }

  func account(_ fields: JSONValue, _ email: String) throws(RecordRefusal) -> SourceAccount {
    var account = SourceAccount { () throws(RecordRefusal) in try fields.hash("passwordHash") }
    if try fields.flag("blocked") == true { account.state = .disabled }
    account.proof = try fields.proof("email_verified")
    account.createdAt = try Times.created(fields["created_at"]?.text("$date") ?? fields.text("created_at"))
    account.id = fields["_id"]?.text("$oid") ?? fields.text("user_id")
    return account
  }
}
