internal import RegdClient
internal import Registration

/// Laravel's table of users: rows of CSV, JSON, or a dump of PostgreSQL.
struct LaravelSource: AccountSource {
  let columns = WantedColumns(
    needed: ["id", "email", "password"], optional: ["email_verified_at", "created_at"] + TableSwitches.columns)

  func format(_ beginning: ArraySlice<UInt8>) -> RecordFormat { rowsOrDump(beginning, "password") }

  func email(_ fields: JSONValue) throws(RecordRefusal) -> String? {
    if try TableSwitches.isDeleted(fields) { throw .deleted }
    return try fields.address("email")
  }

  func account(_ fields: JSONValue, _ email: String) throws(RecordRefusal) -> SourceAccount {
    var account = SourceAccount { () throws(RecordRefusal) in try fields.hash("password") }
    if try TableSwitches.isOff(fields) { account.state = .disabled }
    // Laravel lets users sign in before an address is proven. Only a route requires the proof.
    if fields["email_verified_at"] != nil, try fields.time("email_verified_at") == nil { account.proof = .open }
    account.createdAt = try Times.created(fields.text("created_at"))
    account.id = fields.text("id")
    return account
  }
}
