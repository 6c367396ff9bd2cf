internal import RegdClient
internal import Registration

/// Laravel's table of users: rows of CSV, JSON, or a dump of PostgreSQL.
struct LaravelSource: AccountSource {
  let columns = WantedColumns(
    needed: ["id", "email", "password"], optional: ["email_verified_at", "created_at", "deleted_at"])

  func format(_ beginning: ArraySlice<UInt8>) -> RecordFormat { rowsOrDump(beginning, "password") }

  func email(_ fields: JSONValue) throws(RecordRefusal) -> String? {
    if fields.text("deleted_at") != nil { throw .deleted }
    return try fields.address("email")
  }

  func account(_ fields: JSONValue, _ email: String) throws(RecordRefusal) -> SourceAccount {
    guard let hash = fields.text("password") else { throw .noPassword }
    var account = SourceAccount(passwordHash: hash)
    // Laravel lets users sign in before an address is proven; only a route requires the proof
    if fields["email_verified_at"] != nil, fields.text("email_verified_at") == nil { account.proof = .open }
    account.createdAt = try Times.read(fields.text("created_at"))
    account.id = fields.text("id")
    return account
  }
}
