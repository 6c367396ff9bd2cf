/// Eight bytes of a text, tested at once. In a result, a byte's high bit is set if the byte has the property. Only the
/// bits up to the first hit are reliable, because the subtraction borrows from later bytes.
struct EightBytes {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  static let highs: UInt64 = 0x8080_8080_8080_8080
  private let word: UInt64

  @inline(__always)
  init(_ text: UnsafeRawPointer, at position: Int) {
    word = text.loadUnaligned(fromByteOffset: position, as: UInt64.self).littleEndian
  }

  /// Marks the bytes that equal `byte`.
  @inline(__always)
  func marks(of byte: UInt8) -> UInt64 {
    let difference = word ^ (Self.ones &* UInt64(byte))
    return (difference &- Self.ones) & ~difference & Self.highs
  }

  /// Marks the bytes that are not plain inside a JSON string: quotes, backslashes and control characters (RFC 8259 §7).
  @inline(__always)
  var special: UInt64 {
    marks(of: UInt8(ascii: "\"")) | marks(of: UInt8(ascii: "\\")) | (word &- Self.ones &* 0x20) & ~word & Self.highs
  }

  /// Marks the bytes that are not ASCII.
  @inline(__always)
  var beyondASCII: UInt64 { word & Self.highs }
}

/// Tests and searches for the bytes of JSON texts.
enum JSONBytes {
  /// RFC 8259 §2: space, tab, line feed, carriage return.
  @inline(__always)
  static func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// The position of the next byte that is not white space, or the end.
  @inline(__always)
  static func whiteSpaceEnd(in bytes: UnsafeRawBufferPointer, from position: Int) -> Int {
    var end = position
    while end < bytes.count, isWhiteSpace(bytes[end]) { end &+= 1 }
    return end
  }

  /// The position of the next line feed, or the end. Searches eight bytes at a time.
  static func lineEnd(in bytes: UnsafeRawBufferPointer, from position: Int) -> Int {
    var end = position
    if let text = bytes.baseAddress {
      while end &+ 8 <= bytes.count, EightBytes(text, at: end).marks(of: UInt8(ascii: "\n")) == 0 { end &+= 8 }
    }
    while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end &+= 1 }
    return end
  }

  /// The value of a hexadecimal digit, or nil for another byte.
  @inline(__always)
  static func hexadecimal(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte &- UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte &- UInt8(ascii: "a") &+ 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte &- UInt8(ascii: "A") &+ 10)
    default: nil
    }
  }

  /// Whether two runs of `count` bytes are equal. Compares eight or four bytes at a time, which for names is quicker
  /// than a function call. The last load may overlap the one before.
  @inline(__always)
  static func areSame(_ one: UnsafePointer<UInt8>, _ other: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    @inline(__always)
    func differ<Word: FixedWidthInteger>(_ word: Word.Type, at index: Int) -> Bool {
      UnsafeRawPointer(one).loadUnaligned(fromByteOffset: index, as: Word.self)
        != UnsafeRawPointer(other).loadUnaligned(fromByteOffset: index, as: Word.self)
    }
    var index = 0
    if count >= 8 {
      while index < count &- 8 {
        if differ(UInt64.self, at: index) { return false }
        index &+= 8
      }
      return !differ(UInt64.self, at: count &- 8)
    }
    if count >= 4 { return !differ(UInt32.self, at: 0) && !differ(UInt32.self, at: count &- 4) }
    while index < count {
      if one[index] != other[index] { return false }
      index &+= 1
    }
    return true
  }
}
