internal import RegdClient
internal import Registration

/// An account as its system has it.
struct SourceAccount {
  /// In a spelling that regd reads.
  var passwordHash: String
  var state = Account.State.active
  var proof = Proof.unknown
  var createdAt: Timestamp?
  /// As its system names it; nil where it has no name but its address.
  var id: String?

  /// What the system knows of whose address it is.
  enum Proof {
    /// It is proven, or the system does not ask.
    case unknown
    /// It is not proven, and its owner can sign in.
    case open
    /// It is not proven, and its owner cannot sign in before it is.
    case shut
  }
}

/// A system that accounts come from: how its file is read, and what a record of it means.
protocol AccountSource {
  /// - Parameter beginning: The file's first bytes, for systems that export in more than one way.
  func format(_ beginning: ArraySlice<UInt8>) -> RecordFormat

  /// For rows, and for attributes of entries.
  var columns: WantedColumns { get }

  /// What the operator knows a record by that is not taken: its address, or else its name.
  func name(_ fields: JSONValue) -> String?

  /// The address of the account, whether or not it can be taken: what has an address is an account that another one may be taken for.
  ///
  /// - Returns: Nil for a record that is about something else than an account.
  func email(_ fields: JSONValue) throws(RecordRefusal) -> String?

  /// All else. Is asked for records that have an address.
  func account(_ fields: JSONValue, _ email: String) throws(RecordRefusal) -> SourceAccount
}

extension AccountSource {
  func name(_ fields: JSONValue) -> String? { fields.text("email") }

  func email(_ fields: JSONValue) throws(RecordRefusal) -> String? { try fields.address("email") }

  /// JSON where the file begins as JSON does, and else rows with names in the first line.
  func jsonOrRows(_ beginning: ArraySlice<UInt8>, array: String? = nil, columns: [String]? = nil) -> RecordFormat {
    let first = beginning.first { !" \t\r\n".utf8.contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .json(array: array) : .csv(columns: columns)
  }

  /// JSON or rows, or a dump of PostgreSQL's with the table `users`.
  ///
  /// - Parameter column: A name that the first line of rows has, and the first line of a dump, a comment or a statement, has not.
  func rowsOrDump(_ beginning: ArraySlice<UInt8>, _ column: String, schema: String = "public") -> RecordFormat {
    let names = String(decoding: beginning.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self).lowercased()
    let isStatement = names.hasPrefix("copy ") || names.hasPrefix("insert ")
    let isJSON = names.first { $0 != " " }.map { "[{".contains($0) } ?? false
    return isJSON || names.contains(column) && !isStatement
      ? jsonOrRows(beginning) : .copy(schema: schema, table: "users")
  }
}

extension JSONValue {
  /// A member's text: that of a string, or a number's digits. Nil where it is absent, null or empty.
  func text(_ name: String) -> String? {
    switch self[name] {
    case .string(let text)?: text.isEmpty ? nil : text
    case .number(let digits)?: digits
    case .null?, .bool?, .array?, .object?, nil: nil
    }
  }

  /// Whether a member says yes, in one of the ways in which databases write it. Nil where it is absent.
  func flag(_ name: String) throws(RecordRefusal) -> Bool? {
    if case .bool(let flag)? = self[name] { return flag }
    switch text(name)?.lowercased() {
    case nil: return nil
    case "t", "true", "1", "yes": return true
    case "f", "false", "0", "no": return false
    case .some: throw .malformed(.member(name))
    }
  }

  func address(_ name: String) throws(RecordRefusal) -> String {
    guard let text = text(name) else { throw .noAddress }
    return text
  }
}
