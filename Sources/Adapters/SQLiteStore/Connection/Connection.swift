internal import CSQLite
internal import Linux
internal import Registration
internal import Synchronization

/// One open database. Not thread-safe: its owner must call it from one thread at a time.
final class Connection {
  let handle: OpaquePointer
  private var statements: [String: Statement] = [:]
  /// Receives the rows that cannot be read.
  var damage: DamageLog?
  /// The files as they were when they were opened, or nil if they are not compared.
  var place: DatabasePlace?
  /// Whether the write-ahead log may have become longer than usual.
  private var hasLongLog = false
  /// The pages of log after which SQLite checkpoints by default (sqlite.org/wal.html, "Checkpointing").
  private static let usualLogPages = 1000
  let lockWait: LockWait
  /// Whether content was removed whose copy may still be in the write-ahead log.
  let removed = Removal()
  /// Whether this connection has created the database, which had no tables before.
  var isNew = false
  /// The audit's tree after the last entry that this connection has written. The entry may have been rolled back since.
  var frontier = AuditFrontier()

  /// Opens the file, and makes it with mode 0600 if it does not exist.
  ///
  /// - Parameters:
  ///   - busyMilliseconds: How long a statement waits for another connection's lock.
  ///   - isReadOnly: Requires the file to exist, and never changes it.
  ///   - vfs: The name of SQLite's file layer, or nil for the default.
  init(path: String, busyMilliseconds: Int32, isReadOnly: Bool = false, vfs: String? = nil) throws(SQLiteFailure) {
    if !isReadOnly, vfs == nil { Self.makePrivateFile(path) }
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
    // sorts, and content that a rolled-back savepoint would restore, must not go into temporary files, which are never
    // cleared
    try execute("PRAGMA temp_store = MEMORY")
    guard !isReadOnly else { return }
    try execute("PRAGMA secure_delete = ON")
    try CleanPages.install(handle)
  }

  /// Makes an empty file with mode 0600, whatever the process's umask is, because the database contains password
  /// hashes. SQLite gives the write-ahead log and its index the mode of the database. Does nothing if there is a file:
  /// closing it would release the locks that this process has on it (sqlite.org/howtocorrupt.html, section 2.2). If the
  /// file cannot be made, SQLite reports the reason.
  private static func makePrivateFile(_ path: String) {
    guard !path.isEmpty, path != ":memory:", !FileSystem.exists(path) else { return }
    _ = try? Descriptor.open(path, [.writing, .creatingNew], permissions: 0o600)
  }

  /// Answers the probe while a long statement runs, to show that the thread is alive.
  ///
  /// - Parameter isCancellable: Whether a statement also stops, with SQLITE_INTERRUPT, once the current task is
  ///   cancelled. Only for statements that write nothing.
  func watchStatements(untilCancelled isCancellable: Bool) {
    // about half a millisecond
    let steps: Int32 = 10_000
    if isCancellable {
      sqlite3_progress_handler(
        handle, steps, { wait in LockWait.goesOn(wait) && Task.isCancelled ? 1 : 0 }, lockWait.pointer)
    } else {
      sqlite3_progress_handler(handle, steps, { wait in LockWait.goesOn(wait) ? 0 : 1 }, lockWait.pointer)
    }
  }

  deinit {
    statements.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Runs statements without parameters, and ignores their rows.
  func execute(_ sql: String) throws(SQLiteFailure) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw Self.failure(handle) }
  }

  /// Runs one statement, prepared once and cached, and turns its rows into values.
  ///
  /// - Parameters:
  ///   - parameters: Text for ?1, ?2 and so on. Nil means NULL.
  ///   - blobs: Bytes for the parameters after these.
  @discardableResult
  func query<Value>(
    _ sql: String, _ parameters: [String?] = [], blobs: [[UInt8]?] = [],
    _ row: (borrowing Row) throws(SQLiteFailure) -> Value
  ) throws(SQLiteFailure) -> [Value] {
    let statement = try statement(sql)
    defer { statement.reset() }
    for (index, text) in parameters.enumerated() { try statement.bind(text, at: Int32(index + 1)) }
    for (index, bytes) in blobs.enumerated() { try statement.bind(bytes, at: Int32(parameters.count + index + 1)) }
    var values: [Value] = []
    while try statement.step() { values.append(try row(Row(statement: statement))) }
    if statement.removes, changes > 0 { removed.raise() }
    return values
  }

  /// Returns the first `limit` readable rows. Reports the others to `damage`.
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

  func run(_ sql: String, _ parameters: [String?] = [], blobs: [[UInt8]?] = []) throws(SQLiteFailure) {
    try query(sql, parameters, blobs: blobs) { (_) throws(SQLiteFailure) in }
  }

  /// The first column of the only row, or 0 without a row.
  func integer(_ sql: String, _ parameters: [String?] = []) throws(SQLiteFailure) -> Int {
    try query(sql, parameters) { (row) throws(SQLiteFailure) in row.integer(0) }.first ?? 0
  }

  /// Keeps the database from growing beyond this size, or beyond its present size if that is larger.
  func limit(toBytes bytes: Int) throws(SQLiteFailure) {
    let pageSize = try integer("PRAGMA page_size")
    _ = try integer("PRAGMA max_page_count = \(max(1, bytes / max(1, pageSize)))")
  }

  /// Runs `body`, a part of a transaction that changes many pages, with a cache of `count` pages, so that each changed
  /// page is written only once, at the commit.
  ///
  /// The cache shrinks afterwards. The write-ahead log may grow to `count` pages. The first transaction without this
  /// call writes it into the database.
  func withPages<Value>(
    _ count: Int, _ body: () throws(SQLiteFailure) -> Value
  ) throws(SQLiteFailure) -> Value {
    let usual = try integer("PRAGMA cache_size")
    try execute("PRAGMA cache_size = \(count); PRAGMA wal_autocheckpoint = \(count)")
    hasLongLog = true
    defer { try? execute("PRAGMA cache_size = \(usual)") }
    return try body()
  }

  /// Runs `body`, which needs as much room as the whole database, with temporary files instead of memory.
  func withTemporaryFiles(_ body: () throws(SQLiteFailure) -> Void) throws(SQLiteFailure) {
    try execute("PRAGMA temp_store = FILE")
    defer { try? execute("PRAGMA temp_store = MEMORY") }
    try body()
  }

  /// Rows that the last INSERT, UPDATE or DELETE changed.
  var changes: Int { Int(sqlite3_changes64(handle)) }

  /// Rows changed since the connection was opened.
  var totalChanges: Int { Int(sqlite3_total_changes64(handle)) }

  /// Whether a transaction is still open. SQLite ends a transaction by itself after some failures.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Runs `body` as one transaction, which takes the write lock first, so that `body` reads nothing stale. After a failure that
  /// `leavesDoubt`, it is unknown whether the change was made.
  ///
  /// - Parameter body: Returns its result, and whether to commit.
  func transaction<Value>(
    _ body: () throws(SQLiteFailure) -> (value: Value, commit: Bool)
  ) throws(SQLiteFailure) -> Value {
    if hasLongLog {
      try execute("PRAGMA wal_autocheckpoint = \(Self.usualLogPages)")
      hasLongLog = false
    }
    try execute("BEGIN IMMEDIATE")
    lockWait.succeeded()
    let (value, isKept): (Value, Bool)
    do {
      (value, isKept) = try body()
      // a commit to a file without a name would be lost with the process
      if isKept { try place?.check() }
    } catch {
      // After some failures, SQLite itself has rolled back. ROLLBACK then fails, which does no harm.
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
      failure.isOfCommit = !isInTransaction
      if !failure.isOfCommit { try? execute("ROLLBACK") }
      throw failure
    }
  }

  /// Runs `body`, which must change nothing, in one transaction. All its look-ups see the database as of the first look-up.
  func asOfOneTime<Value>(_ body: () throws(SQLiteFailure) -> Value) throws(SQLiteFailure) -> Value {
    try execute("BEGIN")
    defer { try? execute("ROLLBACK") }
    return try body()
  }

  /// Writes the write-ahead log into the database, and empties the log, which has old versions of pages. Also empties
  /// this connection's cache, so that no old page in it is written again.
  ///
  /// - Throws: SQLITE_BUSY if another connection reads or writes meanwhile. Does not wait for it.
  func emptyLog() throws(SQLiteFailure) {
    let code = lockWait.without { sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil) }
    guard code == SQLITE_OK else { throw Self.failure(handle) }
    sqlite3_db_release_memory(handle)
  }

  /// Syncs the write-ahead log, unless it is empty. After a kill, the log may have commits that were never synced.
  /// SQLite counts them as made, so regd would report them to callers, but a power cut could still lose them. Must
  /// follow a first read, with which SQLite opens the log.
  func syncLog() throws(SQLiteFailure) {
    var log: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK, let log,
      let methods = log.pointee.pMethods?.pointee
    else { return }
    var size: Int64 = 0
    var code = methods.xFileSize(log, &size)
    if code == SQLITE_OK, size > 0 { code = methods.xSync(log, SQLITE_SYNC_NORMAL) }
    guard code == SQLITE_OK else {
      throw SQLiteFailure(code: code, message: "the write-ahead log that was found cannot be synced")
    }
  }

  func statement(_ sql: String) throws(SQLiteFailure) -> Statement {
    if let kept = statements[sql] { return kept }
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw Self.failure(handle) }
    let statement = Statement(prepared, of: handle, removes: Removal.isOne(sql))
    statements[sql] = statement
    return statement
  }

  static func failure(_ handle: OpaquePointer) -> SQLiteFailure {
    SQLiteFailure(code: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)))
  }

  /// Whether SQLite itself finds that its file was renamed or removed.
  var hasMoved: Bool {
    var hasMoved: Int32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return code == SQLITE_OK && hasMoved != 0
  }
}

/// The paths of a database's files, and the files' identities at the opening. If another program replaces a file, as install(1)
/// and mv(1) do, the open file loses its name: everything written to it is lost when the process ends.
struct DatabasePlace: Equatable, Sendable {
  private struct File: Equatable, Sendable {
    let path: String
    let identity: FileStatus.Identity

    /// Notes a file's identity. Returns nil if the file does not exist.
    init?(_ path: String) {
      guard let status = try? FileStatus(path) else { return nil }
      self.path = path
      identity = status.identity
    }
  }

  private let files: [File]

  /// Notes the files that are at the path now: the database, its write-ahead log, and the log's index. Nil if one is missing.
  ///
  /// - Parameter endings: The suffixes of the files to note.
  init?(_ path: String, endings: [String] = ["", "-wal", "-shm"]) {
    let files = endings.compactMap { File(path + $0) }
    guard files.count == endings.count else { return nil }
    self.files = files
  }

  /// Throws if one of the files is no longer the one that was opened. The message is for the log and the status.
  func check() throws(SQLiteFailure) {
    for file in files {
      let now = File(file.path)
      guard now != file else { continue }
      // regd still reads the file that it has open, even if the path no longer leads to it
      throw SQLiteFailure.replaced(
        now == nil
          ? """
          \(file.path) is missing: it was removed or moved away; put it back, or save the accounts with regctl export, \
          because a restarted regd would \(file == files.first ? "create an empty database" : "lose changes")
          """
          : """
          \(file.path) is not the file that regd has opened: it was replaced; restart regd to use what is at the path
          """)
    }
  }
}

/// Whether a connection has removed content since the write-ahead log was last emptied. Until it is emptied, the log
/// keeps old versions of pages, and therefore the removed content. Every removal counts: a sweep's, and a change's that
/// deletes an account, replaces a password or an address, or ends a claim.
final class Removal: Sendable {
  private let isOwed = Atomic(false)

  var isRaised: Bool { isOwed.load(ordering: .relaxed) }

  func raise() { isOwed.store(true, ordering: .relaxed) }

  func lower() { isOwed.store(false, ordering: .relaxed) }

  /// Updates that overwrite addresses, notes and hashes begin with one of these tables, or with a table and a column.
  private static let overwritten = ["account", "claim", "invitation", "audit", "audit_address SET email"]

  /// Whether a statement with this SQL may remove content.
  static func isOne(_ sql: String) -> Bool {
    sql.hasPrefix("DELETE ") || overwritten.contains { sql.hasPrefix("UPDATE \($0) ") }
  }
}
