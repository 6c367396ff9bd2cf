/// Splits a line at its tabs into fields.
struct DovecotFields {
  /// The fields that were not taken yet, with their tabs, or nil at the end.
  private(set) var rest: Slice<UnsafeRawBufferPointer>?

  init(_ line: Slice<UnsafeRawBufferPointer>) { rest = line }

  mutating func next() -> Slice<UnsafeRawBufferPointer>? {
    guard let rest else { return nil }
    let field = rest.prefix { $0 != UInt8(ascii: "\t") }
    self.rest = field.endIndex < rest.endIndex ? rest[(field.endIndex + 1)...] : nil
    return field
  }

  /// Takes a request's ID, a decimal number of 32 bits. Returns nil for anything else, so that an echoed ID cannot
  /// inject fields.
  mutating func nextID() -> UInt32? {
    guard let field = next(), (1...10).contains(field.count),
      field.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 })
    else { return nil }
    return UInt32(String(decoding: field, as: UTF8.self))
  }
}

/// Escapes the bytes that a field cannot contain (Dovecot's `str_tabescape`).
enum TabEscape {
  private static let escape: UInt8 = 1

  static func escaped(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var field: [UInt8] = []
    for byte in bytes {
      switch byte {
      case 0: field += [escape, UInt8(ascii: "0")]
      case escape: field += [escape, UInt8(ascii: "1")]
      case UInt8(ascii: "\t"): field += [escape, UInt8(ascii: "t")]
      case UInt8(ascii: "\n"): field += [escape, UInt8(ascii: "n")]
      case UInt8(ascii: "\r"): field += [escape, UInt8(ascii: "r")]
      default: field.append(byte)
      }
    }
    return field
  }

  /// Reverses `escaped`. An escape before any other byte has no effect, and one at the end is dropped.
  static func unescaped(_ field: some Sequence<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in field {
      if !isEscaped, byte == escape {
        isEscaped = true
        continue
      }
      bytes.append(isEscaped ? original(of: byte) : byte)
      isEscaped = false
    }
    return bytes
  }

  private static func original(of byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "0"): 0
    case UInt8(ascii: "1"): escape
    case UInt8(ascii: "t"): UInt8(ascii: "\t")
    case UInt8(ascii: "n"): UInt8(ascii: "\n")
    case UInt8(ascii: "r"): UInt8(ascii: "\r")
    default: byte
    }
  }
}
