/// A distinguished name (RFC 4514). Different spellings of a name are equal: case, spaces, escapes, and attributes'
/// other names.
struct DistinguishedName: Equatable, Sendable {
  struct Part: Equatable, Sendable {
    /// The attribute's name, folded. For a name in `AttributeType`, its usual spelling.
    let type: String
    /// As it was written, without escapes.
    let value: String

    static func == (one: Part, other: Part) -> Bool { one.type == other.type && one.value.folded == other.value.folded }
  }

  /// The relative names (RDNs), the entry's own first. Each has one part, rarely more.
  private(set) var names: [[Part]] = []
  /// The most parts. A name with more is refused.
  private static let mostParts = 64

  init() {}

  /// - Parameter text: In UTF-8.
  /// - Returns: Nil if it is not a name, has a value in hexadecimal BER, or has too many parts.
  init?(_ text: some Collection<UInt8>) {
    var reader = NameReader(text)
    reader.skipSpaces()
    if reader.isAtEnd { return }
    var parts: [Part] = []
    for _ in 0..<Self.mostParts {
      guard let part = reader.part() else { return nil }
      parts.append(part)
      if reader.skip("+") { continue }
      names.append(parts)
      parts = []
      if reader.isAtEnd { return }
      guard reader.skip(",") else { return nil }
    }
    return nil
  }

  /// The name of an entry directly below this one.
  func child(_ part: Part) -> DistinguishedName {
    var child = self
    child.names.insert([part], at: 0)
    return child
  }

  /// The entry's own name, if the entry is directly below another one and its own name has one part, otherwise nil.
  func part(below parent: DistinguishedName) -> Part? {
    guard names.count == parent.names.count + 1, names.dropFirst().elementsEqual(parent.names),
      let own = names.first, own.count == 1
    else { return nil }
    return own[0]
  }

  /// Removes the attribute `host` from the entry's own name, if that has one more attribute.
  ///
  /// - Returns: The attribute's value, or nil if the name lacks the attribute.
  mutating func removeHost() -> String? {
    guard let own = names.first, own.count == 2,
      let index = own.firstIndex(where: { ["host", "0.9.2342.19200300.100.1.9"].contains($0.type) })
    else { return nil }
    return names[0].remove(at: index).value
  }

  /// Escapes a value for the text of a name (RFC 4514 §2.4).
  static func escaped(_ value: String) -> String {
    var text = ""
    let last = value.unicodeScalars.count - 1
    for (index, scalar) in value.unicodeScalars.enumerated() {
      switch scalar {
      case "\0": text += "\\00"
      case "\"", "+", ",", ";", "<", ">", "\\": text += "\\\(scalar)"
      case " " where index == 0 || index == last: text += "\\ "
      case "#" where index == 0: text += "\\#"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

/// Reads the parts of a name.
private struct NameReader {
  private let text: [UInt8]
  private var index = 0

  init(_ text: some Collection<UInt8>) { self.text = Array(text) }

  var isAtEnd: Bool { index == text.count }

  private var byte: UInt8? { index < text.count ? text[index] : nil }

  mutating func skipSpaces() { while byte == UInt8(ascii: " ") { index += 1 } }

  mutating func skip(_ sign: Unicode.Scalar) -> Bool {
    guard byte == UInt8(ascii: sign) else { return false }
    index += 1
    return true
  }

  /// Reads an attribute, `=` and a value, with spaces around each as RFC 2253 allowed. Returns nil for anything else.
  mutating func part() -> DistinguishedName.Part? {
    skipSpaces()
    let start = index
    while let byte, Self.isOfType(byte) { index += 1 }
    let type = text[start..<index]
    skipSpaces()
    guard !type.isEmpty, skip("=") else { return nil }
    skipSpaces()
    guard byte != UInt8(ascii: "#"), let value = value() else { return nil }
    return DistinguishedName.Part(
      type: AttributeType(type)?.rawValue ?? String(decoding: type, as: UTF8.self).folded, value: value)
  }

  private mutating func value() -> String? {
    var value: [UInt8] = []
    // the length without unescaped spaces at the end, which do not count
    var count = 0
    while let byte, byte != UInt8(ascii: ","), byte != UInt8(ascii: "+") {
      index += 1
      switch byte {
      case UInt8(ascii: "\\"):
        guard let byte = escape() else { return nil }
        value.append(byte)
        count = value.count
      case 0, UInt8(ascii: "\""), UInt8(ascii: ";"), UInt8(ascii: "<"), UInt8(ascii: ">"): return nil
      case UInt8(ascii: " "): value.append(byte)
      default:
        value.append(byte)
        count = value.count
      }
    }
    return String(validating: value.prefix(count), as: UTF8.self)
  }

  private mutating func escape() -> UInt8? {
    guard let sign = byte else { return nil }
    index += 1
    guard let high = Self.digit(sign) else { return " \"#+,;<=>\\".utf8.contains(sign) ? sign : nil }
    guard let low = byte.flatMap(Self.digit) else { return nil }
    index += 1
    return high << 4 | low
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(UnicodeScalar(byte)).hexDigitValue.flatMap { UInt8(exactly: $0) }
  }

  private static func isOfType(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return lower &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ".")
  }
}
