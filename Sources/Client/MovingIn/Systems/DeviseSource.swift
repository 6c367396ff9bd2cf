internal import RegdClient
internal import Registration

/// A table of users of Devise for Rails: rows of CSV, JSON, or a dump of PostgreSQL.
struct DeviseSource: AccountSource {
  let columns = WantedColumns(
    needed: ["id", "email", "encrypted_password"], optional: ["confirmed_at", "created_at", "deleted_at"])

  func format(_ beginning: ArraySlice<UInt8>) -> RecordFormat { rowsOrDump(beginning, "encrypted_password") }

  func email(_ fields: JSONValue) throws(RecordRefusal) -> String? {
    if fields.text("deleted_at") != nil { throw .deleted }
    return try fields.address("email")
  }

  func account(_ fields: JSONValue, _ email: String) throws(RecordRefusal) -> SourceAccount {
    guard let hash = fields.text("encrypted_password") else { throw .noPassword }
    var account = SourceAccount(passwordHash: hash)
    // the column exists only if the model is `confirmable`, and then nobody can sign in before the confirmation
    if fields["confirmed_at"] != nil, fields.text("confirmed_at") == nil { account.proof = .shut }
    account.createdAt = try Times.read(fields.text("created_at"))
    account.id = fields.text("id")
    return account
  }
}
