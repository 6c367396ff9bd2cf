internal import RegdClient
internal import Registration

/// An account as the other system has it.
struct SourceAccount {
  /// The hash in a spelling that regd reads.
  var passwordHash: String
  var state = Account.State.active
  var proof = Proof.unknown
  var createdAt: Timestamp?
  /// The system's id of the account; nil if the system knows the account only by its address.
  var id: String?
  /// The operator's terms that the owner has accepted; nil if none.
  var terms: AcceptedTerms?

  /// Whether the address is proven in the other system.
  enum Proof {
    /// The address is proven, or the system does not ask for proof.
    case unknown
    /// The address is not proven, but its owner can sign in.
    case open
    /// The address is not proven, and its owner cannot sign in until it is.
    case shut
  }
}

/// A system that accounts come from: tells the format of its file, and interprets each record.
protocol AccountSource {
  /// - Parameter beginning: The file's first bytes, for systems with several export formats.
  func format(_ beginning: ArraySlice<UInt8>) -> RecordFormat

  /// The columns of rows, or attributes of LDIF entries, that the source reads. JSON keeps all members.
  var columns: WantedColumns { get }

  /// A name by which the operator finds a refused record: its address, or else the system's name for it.
  func name(_ fields: JSONValue) -> String?

  /// The account's address. Needed even if the account cannot be imported, because the address may conflict with
  /// another account's.
  ///
  /// - Returns: Nil for a record that is about something other than an account.
  func email(_ fields: JSONValue) throws(RecordRefusal) -> String?

  /// Reads the rest of the account. Called only for records that have an address.
  func account(_ fields: JSONValue, _ email: String) throws(RecordRefusal) -> SourceAccount
}

extension AccountSource {
  func name(_ fields: JSONValue) -> String? { fields.text("email") }

  func email(_ fields: JSONValue) throws(RecordRefusal) -> String? { try fields.address("email") }

  /// JSON if the file begins like JSON, else CSV. `array` and `columns` are those of `RecordFormat`.
  func jsonOrRows(_ beginning: ArraySlice<UInt8>, array: String? = nil, columns: [String]? = nil) -> RecordFormat {
    let first = beginning.first { !" \t\r\n".utf8.contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .json(array: array) : .csv(columns: columns)
  }

  /// JSON, CSV with names in its first line, or a dump of PostgreSQL with the table `users`.
  ///
  /// - Parameter column: A column's name, which identifies CSV. The first line of a dump, a comment or a statement,
  ///   lacks it.
  func rowsOrDump(_ beginning: ArraySlice<UInt8>, _ column: String, schema: String = "public") -> RecordFormat {
    let names = String(decoding: beginning.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self).lowercased()
    let isStatement = names.hasPrefix("copy ") || names.hasPrefix("insert ")
    let isJSON = names.first { $0 != " " }.map { "[{".contains($0) } ?? false
    return isJSON || names.contains(column) && !isStatement
      ? jsonOrRows(beginning) : .copy(schema: schema, table: "users")
  }
}

extension JSONValue {
  /// The text of a member: a string's characters, or a number's digits. Nil if the member is absent, null or empty.
  func text(_ name: String) -> String? {
    switch self[name] {
    case .string(let text)?: text.isEmpty ? nil : text
    case .number(let digits)?: digits
    case .null?, .bool?, .array?, .object?, nil: nil
    }
  }

  /// Whether a member is true, in one of the spellings that databases use. Nil if the member is absent.
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
