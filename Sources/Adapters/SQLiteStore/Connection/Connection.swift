internal import CSQLite
internal import Registration

/// One open database. Not thread-safe: its owner calls it from one thread at a time.
final class Connection {
  let handle: OpaquePointer
  private var statements: [String: Statement] = [:]
  /// Where rows that cannot be read are reported.
  var damage: DamageLog?
  /// The files that it was opened as; nil if they are not compared.
  var place: DatabasePlace?
  /// Whether the log may become longer than usual.
  private var hasLongLog = false
  /// As SQLite has it (sqlite.org/wal.html, "Checkpointing").
  private static let usualLogPages = 1000
  let lockWait: LockWait

  /// Opens the file, and makes it where there is none.
  ///
  /// - Parameters:
  ///   - busyMilliseconds: How long a statement waits for another connection's lock.
  ///   - isReadOnly: The file must be there then, and stays as it is.
  ///   - vfs: SQLite's way to the files; nil for its own.
  init(path: String, busyMilliseconds: Int32, isReadOnly: Bool = false, vfs: String? = nil) throws(SQLiteFailure) {
    var opened: OpaquePointer?
    let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(path, &opened, flags, vfs)
    guard let opened else { throw SQLiteFailure(code: SQLITE_NOMEM, message: "out of memory") }
    guard code == SQLITE_OK else {
      defer { sqlite3_close_v2(opened) }
      throw Self.failure(opened)
    }
    handle = opened
    lockWait = LockWait(milliseconds: busyMilliseconds)
    sqlite3_busy_handler(
      handle, { wait, tries in wait.map { LockWait.of($0).goesOn(tries) } ?? false ? 1 : 0 }, lockWait.pointer)
    guard !isReadOnly else { return }
    try execute("PRAGMA secure_delete = ON")
    try CleanPages.install(handle)
  }

  deinit {
    statements.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Runs statements without parameters; rows are dropped.
  func execute(_ sql: String) throws(SQLiteFailure) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw Self.failure(handle) }
  }

  /// Runs one statement, prepared once and kept, and turns its rows into values.
  ///
  /// - Parameter parameters: Text for ?1, ?2 and so on; nil for NULL.
  @discardableResult
  func query<Value>(
    _ sql: String, _ parameters: [String?] = [], _ row: (borrowing Row) throws(SQLiteFailure) -> Value
  ) throws(SQLiteFailure) -> [Value] {
    let statement = try statement(sql)
    defer { statement.reset() }
    for (index, text) in parameters.enumerated() { try statement.bind(text, at: Int32(index + 1)) }
    var values: [Value] = []
    while try statement.step() { values.append(try row(Row(statement: statement))) }
    return values
  }

  /// The first `limit` rows that can be read; the others are reported to `damage`.
  func readable<Value>(
    _ sql: String, _ parameters: [String?], limit: Int, _ row: (borrowing Row) throws(SQLiteFailure) -> Value
  ) throws(SQLiteFailure) -> [Value] {
    let statement = try statement(sql)
    defer { statement.reset() }
    for (index, text) in parameters.enumerated() { try statement.bind(text, at: Int32(index + 1)) }
    var values: [Value] = []
    while values.count < limit, try statement.step() {
      do throws(SQLiteFailure) {
        values.append(try row(Row(statement: statement)))
      } catch {
        guard let damaged = error.row else { throw error }
        damage?.note(damaged)
      }
    }
    return values
  }

  func run(_ sql: String, _ parameters: [String?] = []) throws(SQLiteFailure) {
    try query(sql, parameters) { (_) throws(SQLiteFailure) in }
  }

  /// The first column of the only row; 0 if there is none.
  func integer(_ sql: String, _ parameters: [String?] = []) throws(SQLiteFailure) -> Int {
    try query(sql, parameters) { (row) throws(SQLiteFailure) in row.integer(0) }.first ?? 0
  }

  /// From here on the database does not grow beyond that, or beyond what it has.
  func limit(toBytes bytes: Int) throws(SQLiteFailure) {
    let pageSize = try integer("PRAGMA page_size")
    _ = try integer("PRAGMA max_page_count = \(max(1, bytes / max(1, pageSize)))")
  }

  /// Does `body`, a part of a transaction that changes many pages, with room for them: what it changes is written once, at the commit.
  ///
  /// The memory is given back behind the commit. The log may become as long, and the first transaction without this writes it into the
  /// database.
  func withPages<Value>(
    _ count: Int, _ body: () throws(SQLiteFailure) -> Value
  ) throws(SQLiteFailure) -> Value {
    let usual = try integer("PRAGMA cache_size")
    try execute("PRAGMA cache_size = \(count); PRAGMA wal_autocheckpoint = \(count)")
    hasLongLog = true
    defer { try? execute("PRAGMA cache_size = \(usual)") }
    return try body()
  }

  /// Rows that the last INSERT, UPDATE or DELETE changed.
  var changes: Int { Int(sqlite3_changes64(handle)) }

  /// Rows that were changed since the connection was opened.
  var totalChanges: Int { Int(sqlite3_total_changes64(handle)) }

  var lastInsertedRow: Int { Int(sqlite3_last_insert_rowid(handle)) }

  /// Does `body` as a whole or not at all. The write lock is taken first, so that nothing read in between can be stale.
  /// If a failure `leavesDoubt`, whether it was done is not known.
  ///
  /// - Parameter body: Says whether what it did is to stay.
  func transaction<Value>(
    _ body: () throws(SQLiteFailure) -> (value: Value, commit: Bool)
  ) throws(SQLiteFailure) -> Value {
    if hasLongLog {
      try execute("PRAGMA wal_autocheckpoint = \(Self.usualLogPages)")
      hasLongLog = false
    }
    try execute("BEGIN IMMEDIATE")
    let (value, isKept): (Value, Bool)
    do {
      (value, isKept) = try body()
      // what is committed to a file without a name is lost with the process
      if isKept { try place?.check() }
    } catch {
      // after some failures SQLite has rolled back by itself, and this one says so
      try? execute("ROLLBACK")
      throw error
    }
    guard isKept else {
      try execute("ROLLBACK")
      return value
    }
    try commit()
    return value
  }

  private func commit() throws(SQLiteFailure) {
    do {
      try execute("COMMIT")
      try place?.check()
    } catch {
      var failure = error
      failure.isOfCommit = sqlite3_get_autocommit(handle) != 0
      if !failure.isOfCommit { try? execute("ROLLBACK") }
      throw failure
    }
  }

  /// Does `body`, all of whose look-ups see the database as it is at the first of them. `body` changes nothing.
  func asOfOneTime<Value>(_ body: () throws(SQLiteFailure) -> Value) throws(SQLiteFailure) -> Value {
    try execute("BEGIN")
    defer { try? execute("ROLLBACK") }
    return try body()
  }

  /// Has the write-ahead log written into the database, and cuts it to nothing: it has pages as they were, until then. Afterwards
  /// this connection has no page as it was in its memory either, from where it could come back.
  ///
  /// - Throws: SQLITE_BUSY where another connection reads or writes meanwhile; waits for none.
  func emptyLog() throws(SQLiteFailure) {
    let code = lockWait.without { sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil) }
    guard code == SQLITE_OK else { throw Self.failure(handle) }
    sqlite3_db_release_memory(handle)
  }

  func statement(_ sql: String) throws(SQLiteFailure) -> Statement {
    if let kept = statements[sql] { return kept }
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw Self.failure(handle) }
    let statement = Statement(prepared, of: handle)
    statements[sql] = statement
    return statement
  }

  static func failure(_ handle: OpaquePointer) -> SQLiteFailure {
    SQLiteFailure(code: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)))
  }
}
