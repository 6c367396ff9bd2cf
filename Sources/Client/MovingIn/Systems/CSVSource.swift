internal import RegdClient
internal import Registration

/// Rows as `regctl export --to csv` writes them; also for systems without a reader of their own.
struct CSVSource: AccountSource {
  let columns = WantedColumns(
    needed: ["email", "password_hash"], optional: ["state", "created_at", "id"], allowsOthers: false)

  func format(_ beginning: ArraySlice<UInt8>) -> RecordFormat { .csv(columns: nil) }

  func account(_ fields: JSONValue, _ email: String) throws(RecordRefusal) -> SourceAccount {
    guard let hash = fields.text("password_hash") else { throw .noPassword }
    var account = SourceAccount(passwordHash: hash)
    if let text = fields.text("state") {
      guard let state = Account.State(rawValue: text) else { throw .state(String(text.prefix(40))) }
      account.state = state
    }
    account.createdAt = try Times.read(fields.text("created_at"))
    account.id = fields.text("id")
    return account
  }
}
