internal import CPostgreSQL
internal import Registration

/// The server's answer to one statement.
final class Answer {
  private let result: OpaquePointer

  init(_ result: OpaquePointer) { self.result = result }

  deinit { PQclear(result) }

  var status: ExecStatusType { PQresultStatus(result) }
  /// The command tag, such as "INSERT 0 1" or "COMMIT".
  var command: String { String(cString: PQcmdStatus(result)) }
  /// How many rows the statement changed, or 0 if it changes no rows.
  var changedRows: Int {
    let command = command
    guard !command.hasPrefix("SELECT") else { return 0 }
    return Int(String(cString: PQcmdTuples(result))) ?? 0
  }

  var rows: [Row] { (0..<PQntuples(result)).map { Row(self, $0) } }
  var first: Row? { rows.first }

  fileprivate func isNull(_ row: Int32, _ column: Int32) -> Bool { PQgetisnull(result, row, column) == 1 }

  fileprivate func text(_ row: Int32, _ column: Int32) -> String {
    let bytes = UnsafeRawBufferPointer(
      start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A field of an error or a notice, or "" if it is missing.
  static func field(_ result: OpaquePointer?, _ field: Int32) -> String {
    PQresultErrorField(result, field).map { String(cString: $0) } ?? ""
  }

  var failure: ServerFailure {
    let severity = Self.field(result, pq_severity)
    let message = Self.field(result, pq_message)
    // FATAL and PANIC end the session. That undoes the open transaction, unless its COMMIT was in progress.
    return ServerFailure(
      kind: severity == "ERROR" ? .refused : .disconnected, sqlState: Self.field(result, pq_sqlstate),
      constraint: Self.field(result, pq_constraint),
      message: message.isEmpty ? String(cString: PQresultErrorMessage(result)) : message)
  }
}

struct Row {
  private let answer: Answer
  private let index: Int32

  init(_ answer: Answer, _ index: Int32) {
    self.answer = answer
    self.index = index
  }

  /// A column's text, or "" for NULL.
  func text(_ column: Int32) -> String { answer.text(index, column) }

  func isNull(_ column: Int32) -> Bool { answer.isNull(index, column) }

  /// A column's text, or nil for NULL.
  func optional(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  /// A column's number, or 0 if its text is not a number.
  func integer(_ column: Int32) -> Int { Int(text(column)) ?? 0 }

  /// The bytes of a bytea, or nil if the text is not a bytea.
  func bytes(_ column: Int32) -> [UInt8]? { Self.bytes(text(column)) }

  private static func bytes(_ text: String) -> [UInt8]? {
    text.hasPrefix("\\x") ? [UInt8](hexadecimal: text.dropFirst(2)) : nil
  }

  /// Makes a value from the first `count` columns. If they are damaged, throws a failure whose `row` names the row.
  func read<Value>(
    _ table: DamagedRow.Table, _ count: Int, _ value: (StoredColumns) throws(DamagedRow) -> Value
  ) throws(ServerFailure) -> Value {
    let columns = StoredColumns(table, (0..<Int32(count)).map(optional)) { text in
      Self.bytes(text).flatMap { String(validating: $0, as: UTF8.self) }.flatMap { Origin($0) }
    }
    do throws(DamagedRow) { return try value(columns) } catch { throw .damaged(row: error) }
  }
}
