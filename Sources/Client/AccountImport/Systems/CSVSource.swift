internal import RegdClient
internal import Registration

/// Rows as `regctl export --to csv` writes them, also for systems without a separate reader.
struct CSVSource: AccountSource {
  let columns = WantedColumns(
    needed: ["email", "password_hash"],
    optional: ["state", "created_at", "id", "groups", "display_name", "terms_version", "terms_accepted_at"],
    allowsOthers: false, verbatim: ["groups", "display_name", "terms_version"])

  func format(_ beginning: ArraySlice<UInt8>) -> RecordFormat { .csv(columns: nil) }

  func account(_ fields: JSONValue, _ email: String) throws(RecordRefusal) -> SourceAccount {
    var account = SourceAccount { () throws(RecordRefusal) in try fields.hash("password_hash") }
    if let text = fields.text("state") {
      guard let state = Account.State(rawValue: text) else { throw .state(String(text.prefix(40))) }
      account.state = state
    }
    account.createdAt = try Times.created(fields.text("created_at"))
    account.id = fields.text("id")
    account.terms = try terms(fields)
    account.groups = (fields.text("groups") ?? "").split(separator: " ").map(String.init)
    account.displayName = fields.text("display_name")
    return account
  }

  private func terms(_ fields: JSONValue) throws(RecordRefusal) -> AcceptedTerms? {
    guard let version = fields.text("terms_version") else { return nil }
    guard let acceptedAt = try fields.time("terms_accepted_at") else {
      throw .malformed(.member("terms_accepted_at"))
    }
    return AcceptedTerms(version: version, acceptedAt: acceptedAt)
  }
}
