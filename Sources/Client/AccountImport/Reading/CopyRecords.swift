internal import RegdClient

/// The rows of one table in a dump by pg_dump, in COPY's text format (PostgreSQL's documentation of COPY, "Text Format"). All
/// other tables and statements are skipped.
struct CopyRecords: RecordReader, ~Copyable {
  private var bytes: FileBytes
  /// The line of the table's COPY statement.
  private let start: Int
  private let columns: [String]
  private let isWanted: [Bool]

  /// - Throws: `.noTable` if the dump lacks the table, `.insertions` if it has the rows as INSERT statements, or
  ///   `.columns`.
  init(
    _ bytes: consuming FileBytes, schema: String, table: String, wanted: WantedColumns
  ) throws(SourceFailure) {
    var bytes = bytes
    let (start, columns) = try Self.columns(&bytes, schema: schema, table: table)
    if let fault = wanted.fault(in: columns) { throw .columns(fault) }
    self.bytes = bytes
    self.start = start
    self.columns = columns
    isWanted = columns.map { wanted.known.contains($0) }
  }

  /// Reads up to and including the COPY statement of the table.
  ///
  /// - Returns: The statement's line, and the names of the table's columns.
  private static func columns(
    _ bytes: inout FileBytes, schema: String, table: String
  ) throws(SourceFailure) -> (line: Int, names: [String]) {
    let starts = ["COPY \(schema).\(table) (", "COPY \"\(schema)\".\"\(table)\" ("]
    let insertions = ["INSERT INTO \(schema).\(table) ", "INSERT INTO \"\(schema)\".\"\(table)\" "]
    while let (number, text) = try bytes.takeLine(atMost: RecordLimit.bytes) {
      guard let text, text.first == UInt8(ascii: "C") || text.first == UInt8(ascii: "I") else { continue }
      let line = String(decoding: text, as: UTF8.self)
      if insertions.contains(where: line.hasPrefix) { throw .insertions(table: "\(schema).\(table)") }
      guard let start = starts.first(where: line.hasPrefix), let end = line.lastIndex(of: ")") else {
        // a row of another table may look like a statement
        if line.hasPrefix("COPY "), line.hasSuffix("stdin;") { try skipRows(&bytes) }
        continue
      }
      let names = line[..<end].dropFirst(start.count).split(separator: ",")
      return (number, names.map { name in String(name.filter { $0 != "\"" && $0 != " " }) })
    }
    throw .noTable("\(schema).\(table)")
  }

  private static func skipRows(_ bytes: inout FileBytes) throws(SourceFailure) {
    let start = bytes.line
    while let (_, text) = try bytes.takeLine(atMost: 2) {
      if let text, text.elementsEqual("\\.".utf8) { return }
    }
    throw .truncated(line: start - 1)
  }

  var bytesRead: Int { bytes.bytesRead }

  mutating func next() throws(SourceFailure) -> RawRecord? {
    guard let (number, text) = try bytes.takeLine(atMost: RecordLimit.bytes) else {
      throw .truncated(line: start)
    }
    guard let text else { return RawRecord(line: number, fields: .failure(.tooLarge)) }
    if text.elementsEqual("\\.".utf8) { return nil }
    return RawRecord(line: number, fields: fields(of: text))
  }

  private func fields(of row: [UInt8]) -> Result<JSONValue, RecordRefusal> {
    let texts = row.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
    guard texts.count == columns.count else {
      return .failure(.malformed(.columns(seen: texts.count, expected: columns.count)))
    }
    var members: [JSONValue.Member] = []
    for (index, text) in texts.enumerated() where isWanted[index] {
      guard !text.elementsEqual("\\N".utf8) else {
        members.append(.init(columns[index], .null))
        continue
      }
      guard let value = String(validating: Self.unescaped(text), as: UTF8.self) else { return .failure(.notUTF8) }
      members.append(.init(columns[index], .string(value)))
    }
    return .success(.object(members))
  }

  /// Replaces escapes: a backslash and a letter mean a control character. Before any other character, the backslash only
  /// protects it.
  static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.contains(UInt8(ascii: "\\")) else { return Array(text) }
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in text {
      if isEscaped {
        bytes.append(controls[byte] ?? byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  private static let controls: [UInt8: UInt8] = [
    UInt8(ascii: "b"): 8, UInt8(ascii: "t"): 9, UInt8(ascii: "n"): 10, UInt8(ascii: "v"): 11, UInt8(ascii: "f"): 12,
    UInt8(ascii: "r"): 13,
  ]
}
