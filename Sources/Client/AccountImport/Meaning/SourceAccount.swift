internal import RegdClient
internal import Registration

/// An account as the other system has it.
struct SourceAccount {
  /// The hash in a spelling that regd reads, or the reason why there is no hash.
  let passwordHash: Result<String, RecordRefusal>
  var state = Account.State.active
  var proof = Proof.unknown
  var createdAt: Timestamp?
  /// The system's id of the account, or nil if the system knows the account only by its address.
  var id: String?
  /// The operator's terms that the owner has accepted, or nil if the owner has accepted none.
  var terms: AcceptedTerms?
  /// The names of the account's groups, as the system has them.
  var groups: [String] = []
  /// The key under which the records of groups list the account, or nil if no record does.
  var memberKey: String?
  /// The keys of further groups, whose names are in other records.
  var groupKeys: [String] = []
  /// The display name as the system has it.
  var displayName: String?

  /// - Parameter hash: Reads the hash. A failure concerns only the hash, so the account may be imported without one.
  init(_ hash: () throws(RecordRefusal) -> String) { passwordHash = Result(catching: hash) }

  /// Whether regd accepts such an account without a password.
  var mayLackPassword: Bool { state == .active || state == .disabled }

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

/// A system that accounts come from. It defines the format of its file, and interprets each record.
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

  /// The group that a record describes, or nil for any other record.
  func group(_ fields: JSONValue) -> SourceGroup?

  /// The keys of a group's members in a part of an entry (`RawRecord.isContinued`). Whether the entry is a group is not known
  /// before its last part.
  func members(_ fields: JSONValue) -> [String]

  /// Reads the rest of the account. Called only for records that have an address.
  func account(_ fields: JSONValue, _ email: String) throws(RecordRefusal) -> SourceAccount
}

extension AccountSource {
  func name(_ fields: JSONValue) -> String? { fields.text("email") }

  func email(_ fields: JSONValue) throws(RecordRefusal) -> String? { try fields.address("email") }

  func group(_ fields: JSONValue) -> SourceGroup? { nil }

  func members(_ fields: JSONValue) -> [String] { [] }

  /// JSON if the file begins like JSON, else CSV. `array` and `columns` are those of `RecordFormat`.
  func jsonOrRows(_ beginning: ArraySlice<UInt8>, array: String? = nil, columns: [String]? = nil) -> RecordFormat {
    let first = beginning.first { !" \t\r\n".utf8.contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .json(array: array) : .csv(columns: columns)
  }

  /// JSON, CSV with names in its first line, or a dump of PostgreSQL or MySQL with the table `users`.
  ///
  /// - Parameter column: A column's name, which identifies CSV. The first line of a dump, a comment or a statement,
  ///   lacks it.
  func rowsOrDump(_ beginning: ArraySlice<UInt8>, _ column: String, schema: String = "public") -> RecordFormat {
    let names = String(decoding: beginning.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self).lowercased()
    let isStatement = names.hasPrefix("copy ") || names.hasPrefix("insert ")
    let isJSON = names.first { $0 != " " }.map { "[{".contains($0) } ?? false
    if isJSON || names.contains(column) && !isStatement { return jsonOrRows(beginning) }
    return isOfMySQL(beginning) ? .inserts(table: "users", hasPrefix: false) : .copy(schema: schema, table: "users")
  }

  /// Whether the file begins like a dump of MySQL or MariaDB: with a comment of its program, or with a statement about a
  /// table whose name is between backquotes.
  func isOfMySQL(_ beginning: ArraySlice<UInt8>) -> Bool {
    let beginnings = [
      "-- MySQL", "-- MariaDB", "/*M!", "-- phpMyAdmin SQL Dump", "DROP TABLE IF EXISTS `", "CREATE TABLE `",
      "INSERT INTO `",
    ]
    return beginnings.contains { beginning.starts(with: $0.utf8) }
  }
}
