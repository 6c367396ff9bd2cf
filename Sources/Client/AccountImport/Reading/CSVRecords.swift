internal import RegdClient

/// Rows of CSV (RFC 4180): quoted fields may contain commas and line breaks, and two quotation marks mean one. Also
/// reads rows with semicolons, which spreadsheets write if the comma is the decimal sign, and rows with tabs, which
/// `mysql --batch` writes with backslashes instead of quotation marks.
struct CSVRecords: RecordReader, ~Copyable {
  private var bytes: FileBytes
  private let separator: UInt8
  private let columns: [String]
  /// For each column, whether the source wants it.
  private let isWanted: [Bool]
  /// For each column, whether a word for NULL means no value in it.
  private let isNull: [Bool]

  /// - Parameters:
  ///   - columns: The columns' names, or nil if the first row has them.
  ///   - wanted: The columns that a record keeps.
  /// - Throws: `.nothing` if the file is empty, or `.columns` if the first row has no names, or the names do not fit
  ///   `wanted`.
  init(
    _ bytes: consuming FileBytes, columns: [String]?, wanted: WantedColumns
  ) throws(SourceFailure) {
    var bytes = bytes
    guard try bytes.peek() != nil else { throw .nothing }
    let separator = columns == nil ? Self.separator(bytes.beginning) : UInt8(ascii: ",")
    var names = columns ?? []
    if columns == nil { names = try Self.names(&bytes, separator) }
    if let fault = wanted.fault(in: names) { throw .columns(fault) }
    self.bytes = bytes
    self.separator = separator
    self.columns = names
    isWanted = names.map { wanted.known.contains($0) }
    isNull = names.map { !wanted.verbatim.contains($0) }
  }

  /// The separator of a file that begins with the columns' names.
  private static func separator(_ beginning: ArraySlice<UInt8>) -> UInt8 {
    let names = beginning.prefix { $0 != UInt8(ascii: "\n") }
    return [UInt8(ascii: ","), UInt8(ascii: "\t"), UInt8(ascii: ";")].first { names.contains($0) } ?? UInt8(ascii: ",")
  }

  private static func names(_ bytes: inout FileBytes, _ separator: UInt8) throws(SourceFailure) -> [String] {
    var row = Row(separator)
    guard try row.read(&bytes) else { throw .nothing }
    guard row.fault == nil, let names = row.texts() else { throw .columns(.unreadable) }
    return names.map { $0.lowercased() }
  }

  var bytesRead: Int { bytes.bytesRead }

  mutating func next() throws(SourceFailure) -> RawRecord? {
    while true {
      let line = bytes.line
      var row = Row(separator)
      guard try row.read(&bytes) else { return nil }
      // skip an empty line
      if row.ends.count == 1, row.text.isEmpty, !row.wasQuoted { continue }
      return RawRecord(line: line, fields: fields(of: row))
    }
  }

  private func fields(of row: Row) -> Result<JSONValue, RecordRefusal> {
    if let fault = row.fault { return .failure(fault) }
    guard row.ends.count == columns.count else {
      return .failure(.malformed(.columns(seen: row.ends.count, expected: columns.count)))
    }
    var members: [JSONValue.Member] = []
    var start = 0
    for (index, end) in row.ends.enumerated() {
      if isWanted[index] {
        guard let value = value(of: row.text[start..<end], hasQuotes: row.hasQuotes, isNull[index]) else {
          return .failure(.notUTF8)
        }
        members.append(.init(columns[index], value))
      }
      start = end
    }
    return .success(.object(members))
  }

  /// The value of a field, or nil if the field is not UTF-8.
  ///
  /// - Parameter hasNullWords: Whether a word for NULL means no value.
  private func value(of field: ArraySlice<UInt8>, hasQuotes: Bool, _ hasNullWords: Bool) -> JSONValue? {
    // without quotation marks, PostgreSQL's COPY writes this for NULL, and the text `\N` as `\\N`
    if !hasQuotes, field.elementsEqual("\\N".utf8) { return .null }
    let bytes = hasQuotes ? field : CopyRecords.unescaped(field)[...]
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    return hasNullWords && NullWord.isOne(text) ? .null : .string(text)
  }

  /// One row: the bytes of all fields in sequence, and where each field ends.
  private struct Row {
    var text: [UInt8] = []
    var ends: [Int] = []
    var fault: RecordRefusal?
    var wasQuoted = false
    let separator: UInt8
    /// Whether quotation marks enclose fields.
    let hasQuotes: Bool

    init(_ separator: UInt8) {
      self.separator = separator
      hasQuotes = separator != UInt8(ascii: "\t")
    }

    /// Reads a row. Returns false at the end of the file.
    mutating func read(_ bytes: inout FileBytes) throws(SourceFailure) -> Bool {
      guard try bytes.peek() != nil else { return false }
      while try field(&bytes) {}
      return true
    }

    /// Reads a field. Returns whether another one follows in the row.
    private mutating func field(_ bytes: inout FileBytes) throws(SourceFailure) -> Bool {
      if hasQuotes, try bytes.peek() == UInt8(ascii: "\"") { try quoted(&bytes) }
      while let byte = try bytes.take() {
        switch byte {
        case separator:
          ends.append(text.count)
          return true
        case UInt8(ascii: "\n"):
          ends.append(text.count)
          return false
        case UInt8(ascii: "\r"):
          if try bytes.peek() != UInt8(ascii: "\n") { add(byte) }
        case UInt8(ascii: "\"") where hasQuotes:
          fault = fault ?? .malformed(.quote)
        default: add(byte)
        }
      }
      ends.append(text.count)
      return false
    }

    private mutating func quoted(_ bytes: inout FileBytes) throws(SourceFailure) {
      let line = bytes.line
      wasQuoted = true
      _ = try bytes.take()
      while let byte = try bytes.take() {
        guard byte == UInt8(ascii: "\"") else {
          add(byte)
          continue
        }
        guard try bytes.peek() == byte else {
          // only a separator or the end of the line may follow the closing quotation mark
          if let next = try bytes.peek(), next != separator, !"\r\n".utf8.contains(next) {
            fault = fault ?? .malformed(.quote)
          }
          return
        }
        _ = try bytes.take()
        add(byte)
      }
      throw .openQuote(line: line)
    }

    private mutating func add(_ byte: UInt8) {
      if text.count < RecordLimit.bytes { text.append(byte) } else { fault = .tooLarge }
    }

    func texts() -> [String]? {
      var start = 0
      var texts: [String] = []
      for end in ends {
        guard let field = String(validating: text[start..<end], as: UTF8.self) else { return nil }
        texts.append(field)
        start = end
      }
      return texts
    }
  }
}

/// The words that database clients write to CSV for a missing value: `NULL` (mysql, MySQL Workbench, phpMyAdmin,
/// sqlcmd), `\N` (SELECT … INTO OUTFILE, mydumper), `[NULL]` (DBeaver), `(NULL)` (HeidiSQL), `<null>` (DataGrip) …
enum NullWord {
  private static let words: Set = [
    "null", "[null]", "(null)", "<null>", "{null}", "\\n",
  ]

  static func isOne(_ text: String) -> Bool { text.utf8.count <= 6 && words.contains(text.lowercased()) }
}

/// The columns that a source reads.
struct WantedColumns {
  /// The required columns: without one of them, no row can become an account.
  var needed: [String]
  /// The columns that are read if the file has them.
  var optional: [String]
  /// Whether there may be other columns, which are ignored.
  var allowsOthers = true
  /// The columns in which a word for NULL is an ordinary text.
  var verbatim: Set<String> = []

  var known: Set<String> { Set(needed + optional) }

  func fault(in columns: [String]) -> SourceFailure.ColumnFault? {
    if let twice = columns.first(where: { name in columns.count { $0 == name } > 1 && known.contains(name) }) {
      return .twice(twice)
    }
    if let missing = needed.first(where: { !columns.contains($0) }) { return .missing(missing) }
    if !allowsOthers, let other = columns.first(where: { !known.contains($0) }) {
      return .unknown(other, known: needed + optional)
    }
    return nil
  }
}

/// Lines with fields between colons, as in shadow(5). Each line becomes an object whose members are named by the
/// fields' numbers, from 0.
struct ColonRecords: RecordReader, ~Copyable {
  private var bytes: FileBytes

  init(_ bytes: consuming FileBytes) { self.bytes = bytes }

  var bytesRead: Int { bytes.bytesRead }

  mutating func next() throws(SourceFailure) -> RawRecord? {
    while let (number, text) = try bytes.takeLine(atMost: RecordLimit.bytes) {
      guard let text else { return RawRecord(line: number, fields: .failure(.tooLarge)) }
      if text.isEmpty || text.first == UInt8(ascii: "#") { continue }
      return RawRecord(line: number, fields: Self.fields(of: text))
    }
    return nil
  }

  private static func fields(of line: [UInt8]) -> Result<JSONValue, RecordRefusal> {
    guard let text = String(validating: line, as: UTF8.self) else { return .failure(.notUTF8) }
    let fields = text.split(separator: ":", omittingEmptySubsequences: false)
    guard fields.count >= 2 else { return .failure(.malformed(.colons)) }
    return .success(
      .object(fields.enumerated().map { .init("\($0.offset)", .string(String($0.element))) }))
  }
}
