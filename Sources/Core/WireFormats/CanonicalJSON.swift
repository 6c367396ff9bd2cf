/// Writes JSON objects in the canonical form of RFC 8785: there is only one text for each object.
package enum CanonicalJSON {
  package enum Value {
    case text(String)
    /// Should be less than 2^53, because not all readers of JSON read a larger number alike. All digits of a larger one are written.
    case number(Int)
    case texts([String])
  }

  /// - Parameter members: Members with different names, in any order. Usually they are sorted already.
  package static func object(_ members: [(String, Value)]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512)
    bytes.append(UInt8(ascii: "{"))
    for (name, value) in sorted(members) {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      append(name, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      switch value {
      case .text(let text): append(text, to: &bytes)
      case .number(let number): bytes += String(number).utf8
      case .texts(let texts):
        bytes.append(UInt8(ascii: "["))
        for (index, text) in texts.enumerated() {
          if index > 0 { bytes.append(UInt8(ascii: ",")) }
          append(text, to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
      }
    }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  /// The order of names is that of their UTF-16 code units (section 3.2.3).
  private static func sorted(_ members: [(String, Value)]) -> [(String, Value)] {
    let precedes = { (one: String, other: String) in one.utf16.lexicographicallyPrecedes(other.utf16) }
    let isSorted = zip(members, members.dropFirst()).allSatisfy { precedes($0.0, $1.0) }
    return isSorted ? members : members.sorted { precedes($0.0, $1.0) }
  }

  /// Appends a string. Escapes only what a string cannot contain (section 3.2.2.2).
  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0x08: bytes += "\\b".utf8
      case 0x09: bytes += "\\t".utf8
      case 0x0A: bytes += "\\n".utf8
      case 0x0C: bytes += "\\f".utf8
      case 0x0D: bytes += "\\r".utf8
      case ..<0x20:
        bytes += "\\u00".utf8
        bytes += [digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static let digits = Array("0123456789abcdef".utf8)
}
