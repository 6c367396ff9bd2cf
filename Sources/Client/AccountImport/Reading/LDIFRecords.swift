internal import RegdClient
internal import WireFormats

/// Entries of LDIF (RFC 2849). Each attribute becomes an array of its values, under its name in lower case and without options.
///
/// An entry with very many members becomes several records, each with a part of the members and with the attributes before them, so
/// that no group is too large (`RawRecord.isContinued`).
struct LDIFRecords: RecordReader, ~Copyable {
  /// The attribute with the members of a group.
  static let member = "member"

  /// An entry as far as it has been read. An entry with a fault is refused as a whole, so it keeps nothing else.
  struct Entry {
    /// The line where the entry begins.
    let line: Int
    var attributes: [(name: String, values: [JSONValue])] = []
    /// The bytes of all lines read, without those of members.
    var size = 0
    /// The bytes of the members in `attributes`.
    var sizeOfMembers = 0
    private(set) var fault: RecordRefusal?

    init(line: Int) { self.line = line }

    mutating func add(_ text: [UInt8]?, wanted: Set<String>) {
      guard fault == nil else { return }
      guard let text, size + text.count <= RecordLimit.bytes else { return refuse(.tooLarge) }
      size += text.count
      do throws(RecordRefusal) {
        guard let (name, value) = try LDIFRecords.attribute(text), wanted.contains(name) else { return }
        let index = attributes.firstIndex { $0.name == name } ?? attributes.endIndex
        if index == attributes.endIndex { attributes.append((name, [])) }
        attributes[index].values.append(.string(value))
        guard name == LDIFRecords.member else { return }
        size -= text.count
        sizeOfMembers += text.count
      } catch {
        refuse(error)
      }
    }

    private mutating func refuse(_ reason: RecordRefusal) {
      fault = reason
      (attributes, sizeOfMembers) = ([], 0)
    }

    mutating func removeMembers() {
      attributes.removeAll { $0.name == LDIFRecords.member }
      sizeOfMembers = 0
    }

    func record(isContinued: Bool) -> RawRecord {
      if let fault { return RawRecord(line: line, fields: .failure(fault)) }
      let fields = JSONValue.object(attributes.map { .init($0.name, .array($0.values)) })
      return RawRecord(line: line, fields: .success(fields), isContinued: isContinued)
    }
  }

  private var bytes: FileBytes
  private let wanted: Set<String>
  /// The next line, read ahead because it may continue the current one.
  private var ahead: (number: Int, text: [UInt8]?)?
  /// The entry of the previous record, if the next record continues it.
  private var divided: Entry?
  private var hasEntry = false

  init(_ bytes: consuming FileBytes, wanted: Set<String>) throws(SourceFailure) {
    var bytes = bytes
    ahead = try bytes.takeLine(atMost: RecordLimit.bytes)
    self.bytes = bytes
    self.wanted = wanted
  }

  var bytesRead: Int { bytes.bytesRead }

  mutating func next() throws(SourceFailure) -> RawRecord? {
    var entry = divided
    divided = nil
    while let (number, text) = try unfolded() {
      if text?.isEmpty == true {
        if entry != nil { break }
        continue
      }
      var read = entry ?? Entry(line: number)
      entry = nil
      read.add(text, wanted: wanted)
      if read.sizeOfMembers > RecordLimit.bytes / 2 {
        let record = read.record(isContinued: true)
        read.removeMembers()
        divided = read
        hasEntry = true
        return record
      }
      entry = read
    }
    guard let entry else {
      guard hasEntry else { throw .nothing }
      return nil
    }
    hasEntry = true
    return entry.record(isContinued: false)
  }

  /// The next line, joined with its continuation lines, which begin with a space. Comments are skipped.
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

  /// - Returns: Nil for a base64 value that is not UTF-8, and an empty value for a reference to a file (`:<`), which is
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
    guard let decoded = Base64.decoded(value, allowsStrayBits: true) else { throw .malformed(.base64) }
    return String(validating: decoded, as: UTF8.self).map { (name, $0) }
  }
}
