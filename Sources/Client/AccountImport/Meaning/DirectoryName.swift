/// The distinguished name of an entry of a directory (RFC 4514), read as far as groups need it.
struct DirectoryName {
  /// Equal for different spellings of a name: case, spaces and escapes.
  let key: String
  /// The value of the entry's own attribute `cn`, or nil if its name begins with another attribute.
  let commonName: String?

  init(_ text: String) {
    let parts = Self.parts(of: text).map { part in
      let type = part.prefix { $0 != UInt8(ascii: "=") }
      return (type: Self.words(type).lowercased(), value: Self.words(part.dropFirst(type.count + 1)))
    }
    // no value of a name contains NUL
    key = parts.map { "\($0.type)=\($0.value.lowercased())" }.joined(separator: "\0")
    commonName = parts.first.flatMap { $0.type == "cn" ? $0.value : nil }
  }

  /// Each attribute with its value, without escapes.
  private static func parts(of text: String) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var part: ArraySlice<UInt8> = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: "+"):
        parts.append(part)
        part = []
      case UInt8(ascii: "\\"):
        guard let sign = rest.popFirst() else { break }
        if let high = digit(sign), let low = rest.first.flatMap(digit) {
          rest = rest.dropFirst()
          part.append(high << 4 | low)
        } else {
          part.append(sign)
        }
      default: part.append(byte)
      }
    }
    return parts + [part]
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(UnicodeScalar(byte)).hexDigitValue.flatMap { UInt8(exactly: $0) }
  }

  /// The text with one space between words, and none at its ends.
  private static func words(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self).split(separator: " ").joined(separator: " ")
  }
}
