internal import RegdClient
internal import Registration

/// Users as `firebase auth:export` writes them, JSON or CSV (`src/accountExporter.ts` of firebase-tools).
struct FirebaseSource: AccountSource {
  let parameters: FirebaseParameters

  /// The names of the columns, because the CSV has no line with names. Columns that are not read get numbered names.
  private static let names: [String] =
    ["localid", "email", "emailverified", "passwordhash", "salt"] + (5..<23).map { "column \($0)" }
    + ["createdat", "column 24", "column 25", "disabled", "column 27", "column 28"]

  let columns = WantedColumns(
    needed: ["localid", "email", "emailverified", "passwordhash", "salt", "createdat", "disabled"], optional: [])

  func format(_ beginning: ArraySlice<UInt8>) -> RecordFormat {
    var isQuoted = false
    var commas = 0
    for byte in beginning.prefix(while: { $0 != UInt8(ascii: "\n") }) {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == UInt8(ascii: ","), !isQuoted { commas += 1 }
    }
    // A row ends with a comma and therefore has 28 commas. Older versions of firebase-tools write one column less.
    return jsonOrRows(
      beginning, array: "users", columns: commas == 27 ? Self.names.dropLast() : Self.names)
  }

  func account(_ fields: JSONValue, _ email: String) throws(RecordRefusal) -> SourceAccount {
    let isRow = fields["localid"] != nil
    func name(_ name: String) -> String { isRow ? name.lowercased() : name }
    let parameters =
      "v=1,n=\(parameters.memoryCost),r=\(parameters.rounds),p=1,ss=\(Spelling.standard(parameters.saltSeparator))"
    var account = SourceAccount { () throws(RecordRefusal) in
      let (value, salt) = (try fields.hash(name("passwordHash")), try fields.hash("salt"))
      return "$fbscrypt$\(parameters)$\(Spelling.standard(salt))$\(Spelling.standard(value))"
    }
    if try fields.flag("disabled") == true { account.state = .disabled }
    // the exporter leaves out members that are false
    if try fields.flag(name("emailVerified")) != true { account.proof = .open }
    account.createdAt = try Times.milliseconds(fields.text(name("createdAt")))
    account.id = fields.text(name("localId"))
    return account
  }
}
