internal import RegdClient

/// Entries of LDIF (RFC 2849). Each attribute becomes an array of its values, under its name in lower case and without options.
struct LDIFRecords: RecordReader, ~Copyable {
  private var bytes: FileBytes
  private let wanted: Set<String>
  /// The next line, read ahead because it may continue the current one.
  private var ahead: (number: Int, text: [UInt8]?)?
  private var hasEntry = false

  init(_ bytes: consuming FileBytes, wanted: Set<String>) throws(SourceFailure) {
    var bytes = bytes
    ahead = try bytes.takeLine(atMost: RecordLimit.bytes)
    self.bytes = bytes
    self.wanted = wanted
  }

  var bytesRead: Int { bytes.bytesRead }

  mutating func next() throws(SourceFailure) -> RawRecord? {
    var line: Int?
    var attributes: [(name: String, values: [JSONValue])] = []
    var size = 0
    var fault: RecordRefusal?
    while let (number, text) = try unfolded() {
      if text?.isEmpty == true {
        if line != nil { break }
        continue
      }
      line = line ?? number
      guard let text, size + text.count <= RecordLimit.bytes else {
        fault = .tooLarge
        continue
      }
      size += text.count
      do throws(RecordRefusal) {
        guard let (name, value) = try Self.attribute(text), wanted.contains(name) else { continue }
        let index = attributes.firstIndex { $0.name == name } ?? attributes.endIndex
        if index == attributes.endIndex { attributes.append((name, [])) }
        attributes[index].values.append(.string(value))
      } catch {
        fault = fault ?? error
      }
    }
    guard let line else {
      guard hasEntry else { throw .nothing }
      return nil
    }
    hasEntry = true
    if let fault { return RawRecord(line: line, fields: .failure(fault)) }
    return RawRecord(
      line: line, fields: .success(.object(attributes.map { .init($0.name, .array($0.values)) })))
  }

  /// The next line, joined with its continuation lines, which begin with a space; comments are skipped.
  private mutating func unfolded() throws(SourceFailure) -> (number: Int, text: [UInt8]?)? {
    while let (number, folded) = ahead {
      var text = folded
      ahead = try bytes.takeLine(atMost: RecordLimit.bytes)
      while let next = ahead, next.text?.first == UInt8(ascii: " ") {
        if let before = text, let more = next.text, before.count + more.count <= RecordLimit.bytes {
          text = before + more.dropFirst()
        } else {
          text = nil
        }
        ahead = try bytes.takeLine(atMost: RecordLimit.bytes)
      }
      if text?.first == UInt8(ascii: "#") { continue }
      if number == 1, let text, text.starts(with: "version:".utf8) { continue }
      return (number, text)
    }
    return nil
  }

  /// - Returns: Nil for a base64 value that is not UTF-8; an empty value for a reference to a file (`:<`), which is
  ///   never opened.
  private static func attribute(_ line: [UInt8]) throws(RecordRefusal) -> (name: String, value: String)? {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { throw .malformed(.ldif) }
    let description = line[..<colon].prefix { $0 != UInt8(ascii: ";") }
    guard description.allSatisfy({ $0 < 0x80 }) else { throw .malformed(.ldif) }
    let name = String(decoding: description, as: UTF8.self).lowercased()
    var value = line[(colon + 1)...]
    let kind = value.first
    if kind == UInt8(ascii: ":") || kind == UInt8(ascii: "<") { value.removeFirst() }
    value = value.drop { $0 == UInt8(ascii: " ") }
    if kind == UInt8(ascii: "<") { return (name, "") }
    guard kind == UInt8(ascii: ":") else {
      guard let text = String(validating: value, as: UTF8.self) else { throw .notUTF8 }
      return (name, text)
    }
    guard let decoded = Base64.decode(value) else { throw .malformed(.base64) }
    return String(validating: decoded, as: UTF8.self).map { (name, $0) }
  }
}
