internal import RegdClient
internal import Registration

/// The table `auth.users` of Supabase: rows of CSV, or a dump of PostgreSQL.
struct SupabaseSource: AccountSource {
  let now: Timestamp

  let columns = WantedColumns(
    needed: ["id", "email", "encrypted_password", "email_confirmed_at"],
    optional: ["created_at", "banned_until", "deleted_at", "is_anonymous"])

  func format(_ beginning: ArraySlice<UInt8>) -> RecordFormat {
    rowsOrDump(beginning, "encrypted_password", schema: "auth")
  }

  func email(_ fields: JSONValue) throws(RecordRefusal) -> String? {
    if try fields.time("deleted_at") != nil { throw .deleted }
    if try fields.flag("is_anonymous") == true { throw .machine }
    return try fields.address("email")
  }

  func account(_ fields: JSONValue, _ email: String) throws(RecordRefusal) -> SourceAccount {
    var account = SourceAccount { () throws(RecordRefusal) in Self.spelled(try fields.hash("encrypted_password")) }
    if try fields.isLater("banned_until", than: now) { account.state = .disabled }
    // if a project requires no proof, Supabase itself confirms each address. So no user can sign in without a
    // confirmation
    if try fields.time("email_confirmed_at") == nil { account.proof = .shut }
    account.createdAt = try Times.created(fields.text("created_at"))
    account.id = fields.text("id")
    return account
  }

  /// Removes the project's signer key from a hash that came from Firebase, because the key is a secret, and regd takes it from
  /// its configuration.
  static func spelled(_ hash: String) -> String {
    var parts = hash.split(separator: "$", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[1] == "fbscrypt" else { return hash }
    parts[2] = parts[2].split(separator: ",").filter { !$0.hasPrefix("sk=") }.joined(separator: ",")[...]
    return parts.joined(separator: "$")
  }
}
