internal import CSQLite
internal import Registration

final class Statement {
  fileprivate let handle: OpaquePointer
  private let connection: OpaquePointer

  /// Whether the statement may remove content, of which the write-ahead log then has a copy.
  let removes: Bool

  init(_ handle: OpaquePointer, of connection: OpaquePointer, removes: Bool) {
    self.handle = handle
    self.removes = removes
    self.connection = connection
  }

  deinit { sqlite3_finalize(handle) }

  /// Binds a text to a parameter. Nil leaves the parameter unbound, which means NULL.
  func bind(_ text: String?, at index: Int32) throws(SQLiteFailure) {
    guard let text else { return }
    // SQLITE_TRANSIENT, a cast in C that Swift cannot import: SQLite copies the text
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    guard sqlite3_bind_text(handle, index, text, Int32(text.utf8.count), transient) == SQLITE_OK else {
      throw Connection.failure(connection)
    }
  }

  /// Binds bytes to a parameter. Nil leaves the parameter unbound, which means NULL.
  func bind(_ bytes: [UInt8]?, at index: Int32) throws(SQLiteFailure) {
    guard let bytes else { return }
    // SQLITE_TRANSIENT, as above
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    guard sqlite3_bind_blob(handle, index, bytes, Int32(bytes.count), transient) == SQLITE_OK else {
      throw Connection.failure(connection)
    }
  }

  /// - Returns: Whether there is a row.
  func step() throws(SQLiteFailure) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw Connection.failure(connection)
    }
  }

  /// The statement's cost since it was prepared, in steps of SQLite's virtual machine.
  var machineSteps: Int { Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 0)) }

  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }
}

/// The current row, valid until the statement is stepped again.
struct Row: ~Copyable {
  private let statement: Statement

  init(statement: Statement) { self.statement = statement }

  /// A column's text, or "" for NULL.
  func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(statement.handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement.handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// A column's bytes, or nil for NULL.
  func bytes(_ column: Int32) -> [UInt8]? {
    guard !isNull(column) else { return nil }
    let count = Int(sqlite3_column_bytes(statement.handle, column))
    return Array(UnsafeRawBufferPointer(start: sqlite3_column_blob(statement.handle, column), count: count))
  }

  func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement.handle, column)) }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement.handle, column) == SQLITE_NULL }

  /// Makes a value from the first `count` columns. If they are damaged, throws a failure whose `row` names the row.
  func read<Value>(
    _ table: DamagedRow.Table, _ count: Int, _ value: (StoredColumns) throws(DamagedRow) -> Value
  ) throws(SQLiteFailure) -> Value {
    var texts: [String?] = []
    texts.reserveCapacity(count)
    for column in 0..<Int32(count) { texts.append(isNull(column) ? nil : text(column)) }
    do throws(DamagedRow) { return try value(StoredColumns(table, texts)) } catch { throw .damaged(row: error) }
  }
}
