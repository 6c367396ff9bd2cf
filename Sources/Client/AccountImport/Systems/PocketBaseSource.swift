internal import RegdClient
internal import Registration

/// An auth collection of PocketBase, exported as a table by sqlite3, because PocketBase's API gives no hashes.
struct PocketBaseSource: AccountSource {
  // `password` contains the hash since PocketBase 0.23, `passwordHash` before. Other columns do not matter.
  let columns = WantedColumns(needed: ["id", "email"], optional: ["password", "passwordhash", "verified", "created"])

  func format(_ beginning: ArraySlice<UInt8>) -> RecordFormat { jsonOrRows(beginning) }

  func account(_ fields: JSONValue, _ email: String) throws(RecordRefusal) -> SourceAccount {
    let names = ["password", "passwordHash", "passwordhash"]
    var account = SourceAccount { () throws(RecordRefusal) in
      try fields.hash(names.first { fields.text($0) != nil } ?? names[0])
    }
    account.proof = try fields.proof("verified")
    account.createdAt = try Times.created(fields.text("created"))
    account.id = fields.text("id")
    return account
  }
}
