internal import RegdClient

/// The rows of one table in a dump of MySQL or MariaDB, as mysqldump, mariadb-dump and phpMyAdmin write it: INSERT statements
/// with one or many rows. All other tables and statements are skipped.
///
/// These programs escape line feeds in strings, so that a line of a dump never begins within a string.
struct InsertRecords: RecordReader, ~Copyable {
  private var bytes: FileBytes
  private let isTable: (String) -> Bool
  private let wanted: WantedColumns
  /// The columns of the table's CREATE TABLE statement, or nil before that.
  private var created: [String]?
  /// The columns of the statement whose rows are being read, or nil between statements.
  private var columns: [String]?
  /// The line where that statement begins.
  private var start = 1
  private var hasRows = false
  /// The table in the operator's words.
  private let table: String

  /// - Parameters:
  ///   - table: The table's name.
  ///   - hasPrefix: Whether the name may have a prefix that ends in `_`, as WordPress's has.
  init(_ bytes: consuming FileBytes, table: String, hasPrefix: Bool, wanted: WantedColumns) {
    self.bytes = bytes
    self.table = table
    self.wanted = wanted
    isTable = { $0 == table || hasPrefix && $0.hasSuffix("_\(table)") }
  }

  var bytesRead: Int { bytes.bytesRead }

  mutating func next() throws(SourceFailure) -> RawRecord? {
    while true {
      if columns == nil, try !findStatement() {
        guard hasRows || created != nil else { throw .noTable(table) }
        return nil
      }
      try skipSpace()
      guard let byte = try bytes.take() else { throw .truncated(line: start) }
      switch byte {
      case UInt8(ascii: ","): continue
      case UInt8(ascii: "("):
        hasRows = true
        return try row()
      default:
        // The end of the statement. The rest of its line may follow.
        columns = nil
        if byte != UInt8(ascii: "\n") { _ = try bytes.takeLine(atMost: 0) }
      }
    }
  }

  // MARK: Statements

  /// Skips to the first row of the next INSERT statement of the table. Returns false if there is no such statement.
  private mutating func findStatement() throws(SourceFailure) -> Bool {
    while let byte = try bytes.peek() {
      guard "IR".utf8.contains(byte) else {
        guard let (_, text) = try bytes.takeLine(atMost: 4096), let text else { continue }
        if let name = Self.name(in: text, after: "CREATE TABLE "), isTable(name) { created = try createdColumns() }
        continue
      }
      start = bytes.line
      guard let head = try head(), let name = Self.keywords.lazy.compactMap({ Self.name(in: head, after: $0) }).first,
        isTable(name)
      else { continue }
      let names = Self.names(in: head).map { $0.lowercased() }
      guard let all = names.isEmpty ? created : names else { throw .columns(.unreadable) }
      if let fault = wanted.fault(in: all) {
        // with any prefix, this may be the table of a plug-in
        guard name == table else { continue }
        throw .columns(fault)
      }
      columns = all
      return true
    }
    return false
  }

  /// The words before the table's name, also with the options --insert-ignore and --replace.
  private static let keywords = ["INSERT INTO ", "INSERT  IGNORE INTO ", "INSERT IGNORE INTO ", "REPLACE INTO "]

  /// Takes the beginning of a statement, up to VALUES. Without VALUES in the line, takes the whole line and returns nil.
  private mutating func head() throws(SourceFailure) -> [UInt8]? {
    var text: [UInt8] = []
    while text.count < 65_536, let byte = try bytes.take(), byte != UInt8(ascii: "\n") {
      text.append(byte)
      if byte == UInt8(ascii: "S"), text.suffix(6).elementsEqual("VALUES".utf8) { return text }
    }
    if text.count >= 65_536 { _ = try bytes.takeLine(atMost: 0) }
    return nil
  }

  /// Takes the lines of a CREATE TABLE statement.
  private mutating func createdColumns() throws(SourceFailure) -> [String] {
    var names: [String] = []
    while let (_, text) = try bytes.takeLine(atMost: RecordLimit.bytes) {
      let line = (text ?? []).drop { $0 == UInt8(ascii: " ") }
      if line.first == UInt8(ascii: ")") { break }
      // the lines of keys begin with a word
      guard line.first == UInt8(ascii: "`"), let name = Self.quoted(line) else { continue }
      names.append(name.lowercased())
    }
    return names
  }

  /// The quoted name after a keyword at the beginning of a statement.
  private static func name(in text: [UInt8], after keyword: String) -> String? {
    guard text.starts(with: keyword.utf8) else { return nil }
    let rest = text.dropFirst(keyword.utf8.count)
    return quoted(rest.starts(with: "IF NOT EXISTS ".utf8) ? rest.dropFirst(14) : rest)
  }

  private static func quoted(_ text: ArraySlice<UInt8>) -> String? {
    guard text.first == UInt8(ascii: "`"), let end = text.dropFirst().firstIndex(of: UInt8(ascii: "`")) else {
      return nil
    }
    return String(decoding: text[(text.startIndex + 1)..<end], as: UTF8.self)
  }

  /// The columns that an INSERT statement lists, or empty if it lists none.
  private static func names(in head: [UInt8]) -> [String] {
    guard let open = head.firstIndex(of: UInt8(ascii: "(")) else { return [] }
    return head[open...].split(separator: UInt8(ascii: "`"), omittingEmptySubsequences: false).enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }.map { String(decoding: $0.element, as: UTF8.self) }
  }

  // MARK: Rows

  /// Takes the values of a row, and its closing parenthesis.
  private mutating func row() throws(SourceFailure) -> RawRecord {
    let line = bytes.line
    let names = columns ?? []
    var members: [JSONValue.Member] = []
    var fault: RecordRefusal?
    var count = 0
    var size = 0
    while true {
      let (text, isString) = try value()
      size += text.count
      if size > RecordLimit.bytes { fault = .tooLarge }
      if count < names.count, wanted.known.contains(names[count]), fault == nil {
        if !isString, text.elementsEqual("NULL".utf8) {
          members.append(.init(names[count], .null))
        } else if let text = String(validating: text, as: UTF8.self) {
          members.append(.init(names[count], .string(text)))
        } else {
          fault = .notUTF8
        }
      }
      count += 1
      try skipSpace()
      let byte = try bytes.take()
      if byte == UInt8(ascii: ")") { break }
      // after any other byte, the distinction between strings and other text would be a guess
      guard byte == UInt8(ascii: ",") else { throw .truncated(line: start) }
    }
    if count != names.count { fault = fault ?? .malformed(.columns(seen: count, expected: names.count)) }
    return RawRecord(line: line, fields: fault.map { .failure($0) } ?? .success(.object(members)))
  }

  /// Takes a value: a string, or a word such as NULL, a number or `0x…`. A word before a string is its character set, or the
  /// `b` of bits.
  private mutating func value() throws(SourceFailure) -> (text: [UInt8], isString: Bool) {
    try skipSpace()
    var word: [UInt8] = []
    while let byte = try bytes.peek(), byte != UInt8(ascii: ","), byte != UInt8(ascii: ")") {
      if byte == UInt8(ascii: "'") {
        let string = try string()
        return word == [UInt8(ascii: "b")] ? (Array("b'".utf8) + string + Array("'".utf8), true) : (string, true)
      }
      _ = try bytes.take()
      if !" \t\r\n".utf8.contains(byte), word.count < RecordLimit.bytes { word.append(byte) }
    }
    return (word, false)
  }

  /// Takes a string. A quotation mark in it is doubled, or follows a backslash.
  private mutating func string() throws(SourceFailure) -> [UInt8] {
    _ = try bytes.take()
    var text: [UInt8] = []
    while let byte = try bytes.take() {
      var byte = byte
      if byte == UInt8(ascii: "\\") {
        guard let escaped = try bytes.take() else { break }
        byte = Self.controls[escaped] ?? escaped
      } else if byte == UInt8(ascii: "'") {
        guard try bytes.peek() == byte else { return text }
        _ = try bytes.take()
      }
      // one byte more than a record may have shows that the record is too large
      if text.count <= RecordLimit.bytes { text.append(byte) }
    }
    throw .truncated(line: start)
  }

  private static let controls: [UInt8: UInt8] = [
    UInt8(ascii: "0"): 0, UInt8(ascii: "b"): 8, UInt8(ascii: "t"): 9, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13,
    UInt8(ascii: "Z"): 26,
  ]

  private mutating func skipSpace() throws(SourceFailure) {
    while let byte = try bytes.peek(), " \t\r\n".utf8.contains(byte) { _ = try bytes.take() }
  }
}
