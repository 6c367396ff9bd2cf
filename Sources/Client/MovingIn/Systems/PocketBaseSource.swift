internal import RegdClient
internal import Registration

/// An auth collection of PocketBase, exported as a table by sqlite3, because PocketBase's API gives no hashes.
struct PocketBaseSource: AccountSource {
  // `password` has the hash since PocketBase 0.23, `passwordHash` before; other columns do not matter
  let columns = WantedColumns(needed: ["id", "email"], optional: ["password", "passwordhash", "verified", "created"])

  func format(_ beginning: ArraySlice<UInt8>) -> RecordFormat { jsonOrRows(beginning) }

  func account(_ fields: JSONValue, _ email: String) throws(RecordRefusal) -> SourceAccount {
    guard let hash = fields.text("password") ?? fields.text("passwordHash") ?? fields.text("passwordhash") else {
      throw .noPassword
    }
    var account = SourceAccount(passwordHash: hash)
    if try fields.flag("verified") == false { account.proof = .open }
    account.createdAt = try Times.read(fields.text("created"))
    account.id = fields.text("id")
    return account
  }
}
