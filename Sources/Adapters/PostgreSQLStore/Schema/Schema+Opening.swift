internal import Registration

/// The one row of the table `installation`.
struct Installation: Equatable, Sendable {
  let version: Int
  /// The lowest schema version that a regd must know to use the database.
  let oldest: Int
  let id: String
  let guessKey: [UInt8]

  /// Another database has replaced the one that was opened.
  static let replaced = ServerFailure.unfit("the opened database was replaced by another one")

  static let look = Statement("SELECT version, oldest, id, guess_key FROM installation")

  /// Reads the row. Returns nil if it does not exist yet.
  static func find(_ connection: Connection) throws(ServerFailure) -> Installation? {
    try connection.answer(look).first.map(Installation.init)
  }
}

extension Installation {
  /// Reads the row that `look` found.
  init(_ row: Row) {
    self.init(version: row.integer(0), oldest: row.integer(1), id: row.text(2), guessKey: row.bytes(3) ?? [])
  }

  /// Locks the table, and reads its row. Waits for the changes under way, and makes later changes wait until this
  /// transaction has ended, because each change reads the table.
  static func locked(_ connection: Connection) throws(ServerFailure) -> Installation? {
    try connection.run("LOCK TABLE installation IN ACCESS EXCLUSIVE MODE")
    return try find(connection)
  }
}

/// A column with a key that never changes: for the codes of claims, or for the heads of the audit's tree.
enum KeyColumn: String, CaseIterable {
  case codes = "code_key"
  case audit = "audit_key"

  /// Makes the key if it does not exist yet.
  func fill(_ connection: Connection) throws(ServerFailure) {
    try connection.run(
      "UPDATE installation SET \(rawValue) = $1 WHERE \(rawValue) IS NULL", [.bytes(CodeKey.random().bytes)])
  }

  func replace(_ connection: Connection, by key: CodeKey) throws(ServerFailure) {
    try connection.run("UPDATE installation SET \(rawValue) = $1", [.bytes(key.bytes)])
  }

  func read(_ connection: Connection) throws(ServerFailure) -> CodeKey {
    let bytes = try connection.run("SELECT \(rawValue) FROM installation").first?.bytes(0)
    guard let key = bytes.flatMap({ CodeKey($0) }) else {
      throw .unfit("the \(rawValue) of the table installation does not have 32 bytes: restore it from a backup")
    }
    return key
  }
}

extension Schema {
  /// How the database's schema compares with the one that this regd needs.
  enum State: Equatable {
    case empty
    case older(Int)
    /// The schema is of this regd's version, or newer and still usable for this regd.
    case fit
  }

  /// The state of the schema. Changes nothing.
  ///
  /// - Throws: `unfit` for another program's tables, and for a schema that asks for a newer regd.
  func state(_ connection: Connection) throws(ServerFailure) -> State {
    let tables = try connection.run(
      """
      SELECT table_name FROM information_schema.tables
      WHERE table_schema = current_schema() AND table_name IN ('installation', 'account', 'request', 'audit', 'claim', 'mail', 'invitation')
      """
    ).map { $0.text(0) }
    guard !tables.isEmpty else { return .empty }
    guard tables.contains("installation") else {
      throw .unfit(
        "there is a table \(tables.sorted().joined(separator: ", ")) of another program's: give regd a database, or a schema on its search_path, of its own"
      )
    }
    guard let found = try Installation.find(connection) else { return .empty }
    if let hold { try MoveMark.require(connection, completedFor: hold) }
    try requireFit(found)
    return found.version < version ? .older(found.version) : .fit
  }

  /// - Throws: `unfit` if the schema has become too new for this regd, or a move fills the database.
  func requireFit(_ found: Installation) throws(ServerFailure) {
    guard found.oldest < MoveMark.filling || hold != nil else {
      throw .unfit(
        "a move into this database is not complete: finish it with regctl move, or end it with regctl move --abandon")
    }
    guard found.oldest % MoveMark.filling > version else { return }
    throw .unfit(
      "the schema is version \(found.version), and asks for a regd that knows \(found.oldest) at least; this one knows \(version): upgrade this regd"
    )
  }

  /// An SQL condition on the row `installation`: whether a regd with this schema may change the database.
  var fence: String { hold == nil ? "oldest <= \(version)" : "oldest % \(MoveMark.filling) <= \(version)" }

  /// Makes the tables if they do not exist, and brings the schema up to date, in one transaction under a lock. If
  /// several regd processes start at once, one of them migrates, and the others find the migration done.
  ///
  /// - Parameters:
  ///   - limit: The time limit for an answer while tables are made or changed, if it is longer than the connection's.
  ///   - doing: Called with a description before existing tables are changed, and again and again during a long step.
  /// - Returns: The row of `installation`, and whether this call has made the tables.
  func migrate(
    _ connection: Connection, _ cryptography: any AuditCryptography, within limit: Duration = .zero,
    doing: (_ what: String) -> Void
  ) throws(ServerFailure) -> (Installation, isNew: Bool) {
    let end = ContinuousClock.now + connection.limit
    var failure: ServerFailure?
    var isNew = false
    for _ in 0..<Self.rounds {
      do throws(ServerFailure) {
        switch try state(connection) {
        case .empty:
          try change(connection, within: limit, make)
          isNew = true
          try change(connection, within: limit) { (connection) throws(ServerFailure) in
            try bring(connection, cryptography) { _ in }
          }
        case .older(let found):
          doing("migrating its schema from version \(found) to \(version)")
          try change(connection, within: limit) { (connection) throws(ServerFailure) in
            try bring(connection, cryptography, doing: doing)
          }
        case .fit: break
        }
        if let installation = try Installation.find(connection) { return (installation, isNew) }
      } catch {
        guard error.kind == .refused, Self.ofRace.contains(error.sqlState),
          // the server has waited for the lock nearly as long as one answer may take
          error.sqlState != SQLState.lockNotAvailable || .now < end
        else { throw error }
        // another regd made the tables at the same moment, or is changing something
        failure = error
        try connection.rollBack()
      }
    }
    throw failure ?? .unfit("the table installation has no row")
  }

  /// The most attempts to migrate. When many regd processes start at once, the attempts of each make those of the
  /// others fail.
  private static let rounds = 50
  /// The SQLSTATEs of a race with another regd: the object or its name in the catalogue exists, or a serialization
  /// failure, a deadlock, a lock that is not free.
  private static let ofRace: Set = ["23505", "42P07", "42710", "40001", "40P01", "55P03"]

  /// Calls `body` in a transaction that waits for the changes of other regd for as long as they take.
  private func change(
    _ connection: Connection, within limit: Duration, _ body: (Connection) throws(ServerFailure) -> Void
  ) throws(ServerFailure) {
    let usual = connection.limit
    connection.limit = max(usual, limit)
    defer { connection.limit = usual }
    connection.begin()
    try connection.run("SET LOCAL lock_timeout = 0")
    try body(connection)
    try connection.run("COMMIT")
  }

  private func make(_ connection: Connection) throws(ServerFailure) {
    var random = SystemRandomNumberGenerator()
    let key = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    for step in steps.prefix(1) { for statement in step.statements { try connection.run(statement) } }
    try connection.run(
      "INSERT INTO installation (version, oldest, id, last_audit, guess_key) VALUES (1, 1, $1, 0, $2)",
      [.text(AccountID(at: Timestamp(microseconds: 0)).description), .bytes(key)])
  }

  private func bring(
    _ connection: Connection, _ cryptography: any AuditCryptography, doing: (_ what: String) -> Void
  ) throws(ServerFailure) {
    guard let found = try Installation.locked(connection) else {
      throw .unfit("the table installation has no row")
    }
    for step in steps.dropFirst(found.version) {
      for statement in step.statements { try connection.run(statement) }
      if step.fillsTree { try AuditTreeRow.fill(connection, cryptography, doing: doing) }
    }
    if found.version < version {
      let oldest = steps.dropFirst(found.version).map(\.oldest).max() ?? found.oldest
      try connection.run(
        "UPDATE installation SET version = $1, oldest = $2", ["\(version)", "\(max(found.oldest, oldest))"])
    }
    // tests make schemas without the later columns
    for column in KeyColumn.allCases where column != .audit || steps.contains(where: \.fillsTree) {
      try column.fill(connection)
    }
  }
}
