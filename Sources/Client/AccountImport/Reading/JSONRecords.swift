internal import RegdClient

/// Objects of JSON texts, each read as strictly as regd reads a request (RFC 8259). The JSON around the objects is
/// skipped.
struct JSONRecords: RecordReader, ~Copyable {
  private var bytes: FileBytes
  /// The member of the outer object whose array contains the records, or nil if the records are not inside an object.
  private let array: String?
  /// The open containers around the records.
  private var open: [Container] = []
  private var hasValue = false
  private var hasArray = false

  private struct Container {
    enum Kind {
      /// An array of records.
      case records
      /// An array of outer objects.
      case outerArray
      case outerObject
    }

    let kind: Kind
    /// The line in which the container begins.
    let line: Int
    var isEmpty = true
  }

  init(_ bytes: consuming FileBytes, array: String?) {
    self.bytes = bytes
    self.array = array
  }

  var bytesRead: Int { bytes.bytesRead }

  mutating func next() throws(SourceFailure) -> RawRecord? {
    while true {
      try skipSpace()
      guard let container = open.last else {
        guard let byte = try bytes.peek() else {
          guard hasValue else { throw .nothing }
          if let array, !hasArray { throw .noArray(array) }
          return nil
        }
        hasValue = true
        if let record = try value(byte, isOuter: array != nil) { return record }
        continue
      }
      guard let byte = try bytes.peek() else { throw .truncated(line: container.line) }
      switch container.kind {
      case .records, .outerArray: if let record = try element(byte, container) { return record }
      case .outerObject: try member(byte, container)
      }
    }
  }

  /// Takes a value at the outermost level, or an element of an array.
  ///
  /// - Returns: The record if the value is one, or nil if the value is a container, which is now open.
  private mutating func value(_ byte: UInt8, isOuter: Bool) throws(SourceFailure) -> RawRecord? {
    switch byte {
    case UInt8(ascii: "{"):
      guard isOuter else { return try object() }
      try open(.outerObject)
    case UInt8(ascii: "[") where open.isEmpty:
      try open(isOuter ? .outerArray : .records)
    default: throw .notJSON(line: bytes.line, expected: .object)
    }
    return nil
  }

  /// Takes the bracket or brace with which a container begins.
  private mutating func open(_ kind: Container.Kind) throws(SourceFailure) {
    open.append(Container(kind: kind, line: bytes.line))
    _ = try bytes.take()
  }

  private mutating func element(_ byte: UInt8, _ container: Container) throws(SourceFailure) -> RawRecord? {
    if byte == UInt8(ascii: "]") {
      _ = try bytes.take()
      open.removeLast()
      return nil
    }
    let byte = try separator(byte, in: container)
    open[open.count - 1].isEmpty = false
    return try value(byte, isOuter: container.kind == .outerArray)
  }

  private mutating func member(_ byte: UInt8, _ container: Container) throws(SourceFailure) {
    if byte == UInt8(ascii: "}") {
      _ = try bytes.take()
      open.removeLast()
      return
    }
    guard try separator(byte, in: container) == UInt8(ascii: "\"") else {
      throw .notJSON(line: bytes.line, expected: .member)
    }
    open[open.count - 1].isEmpty = false
    let name = try string()
    try skipSpace()
    guard try bytes.take() == UInt8(ascii: ":") else { throw .notJSON(line: bytes.line, expected: .colon) }
    try skipSpace()
    if name == array, try bytes.peek() == UInt8(ascii: "[") {
      hasArray = true
      try open(.records)
    } else {
      try skipValue()
    }
  }

  /// Takes the comma between two elements or members.
  ///
  /// - Returns: The first byte after it.
  private mutating func separator(_ byte: UInt8, in container: Container) throws(SourceFailure) -> UInt8 {
    guard !container.isEmpty else { return byte }
    guard byte == UInt8(ascii: ",") else { throw .notJSON(line: bytes.line, expected: .comma) }
    _ = try bytes.take()
    try skipSpace()
    guard let next = try bytes.peek() else { throw .truncated(line: container.line) }
    return next
  }

  private mutating func object() throws(SourceFailure) -> RawRecord {
    let line = bytes.line
    var text: [UInt8] = []
    try follow { if text.count <= RecordLimit.bytes { text.append($0) } }
    guard text.count <= RecordLimit.bytes else { return RawRecord(line: line, fields: .failure(.tooLarge)) }
    guard let fields = JSONValue(text) else {
      let isText = String(validating: text, as: UTF8.self) != nil
      return RawRecord(line: line, fields: .failure(isText ? .malformed(.json) : .notUTF8))
    }
    return RawRecord(line: line, fields: .success(fields))
  }

  /// Reads an object or an array to its end.
  private mutating func follow(_ visit: (UInt8) -> Void) throws(SourceFailure) {
    let line = bytes.line
    var depth = 0
    var isString = false
    repeat {
      guard let byte = try bytes.take() else { throw .truncated(line: line) }
      visit(byte)
      switch byte {
      case UInt8(ascii: "\\") where isString:
        guard let escaped = try bytes.take() else { throw .truncated(line: line) }
        visit(escaped)
      case UInt8(ascii: "\""): isString.toggle()
      case UInt8(ascii: "{"), UInt8(ascii: "["): if !isString { depth += 1 }
      case UInt8(ascii: "}"), UInt8(ascii: "]"): if !isString { depth -= 1 }
      default: break
      }
    } while depth > 0
  }

  private mutating func skipValue() throws(SourceFailure) {
    switch try bytes.peek() {
    case UInt8(ascii: "{"), UInt8(ascii: "["): try follow { _ in }
    case UInt8(ascii: "\""): _ = try string()
    default:
      // skip a number or a literal
      while let byte = try bytes.peek(), !",}] \t\r\n".utf8.contains(byte) { _ = try bytes.take() }
    }
  }

  /// Takes a string. Returns at most its first 100 bytes, which suffice to recognise a member's name.
  private mutating func string() throws(SourceFailure) -> String {
    let line = bytes.line
    var text: [UInt8] = []
    _ = try bytes.take()
    while let byte = try bytes.take() {
      if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
      if text.count < 100 { text.append(byte) }
      if byte == UInt8(ascii: "\\") { _ = try bytes.take() }
    }
    throw .truncated(line: line)
  }

  private mutating func skipSpace() throws(SourceFailure) {
    while let byte = try bytes.peek(), " \t\r\n".utf8.contains(byte) { _ = try bytes.take() }
  }
}
