internal import RegdClient

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
