/// Facts about single bytes of JSON.
enum JSONBytes {
  /// RFC 8259 §2: space, tab, line feed, carriage return.
  @inline(__always)
  static func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Where the next line feed stands, or the end; eight bytes at a time.
  static func lineEnd(in bytes: UnsafeRawBufferPointer, from position: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var end = position
    while end &+ 8 <= bytes.count {
      let feed = bytes.loadUnaligned(fromByteOffset: end, as: UInt64.self) ^ (ones &* 0x0A)
      if (feed &- ones) & ~feed & (ones &* 0x80) != 0 { break }
      end &+= 8
    }
    while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end &+= 1 }
    return end
  }

  /// The value of a hexadecimal digit, or nil.
  @inline(__always)
  static func hexadecimal(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte &- UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte &- UInt8(ascii: "a") &+ 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte &- UInt8(ascii: "A") &+ 10)
    default: nil
    }
  }

  /// Whether two runs of `count` bytes are the same; eight at a time, which for names beats a call.
  @inline(__always)
  static func areSame(_ one: UnsafePointer<UInt8>, _ other: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    var index = 0
    while index &+ 8 <= count {
      let mine = UnsafeRawPointer(one).loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let theirs = UnsafeRawPointer(other).loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if mine != theirs { return false }
      index &+= 8
    }
    while index < count {
      if one[index] != other[index] { return false }
      index &+= 1
    }
    return true
  }
}
