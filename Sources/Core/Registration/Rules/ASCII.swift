enum ASCII {
  @inline(__always) static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  static func isWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var all: UInt8 = 0
    var index = 0
    while index < bytes.count {
      all |= bytes[index]
      index &+= 1
    }
    return all < 0x80
  }

  /// Whether both have the same bytes. Compares eight bytes at a time. The last eight may overlap the eight before.
  static func areEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    guard one.count == other.count else { return false }
    let count = one.count
    guard count >= 8 else { return one.elementsEqual(other) }
    var index = 0
    while true {
      if one.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        != other.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      {
        return false
      }
      if index == count &- 8 { return true }
      index = min(index &+ 8, count &- 8)
    }
  }

  /// Whether both are equal, ignoring the case of ASCII letters.
  static func areSame(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    guard one.count == other.count else { return false }
    var index = 0
    while index < one.count {
      if lowercased(one[index]) != lowercased(other[index]) { return false }
      index &+= 1
    }
    return true
  }

  /// `atext` of RFC 5322 §3.2.3: letters, digits and !#$%&'*+-/=?^_`{|}~.
  @inline(__always) static func isText(_ byte: UInt8) -> Bool {
    let mask: UInt64 = byte < 64 ? 0xA3FF_ACFA_0000_0000 : 0x7FFF_FFFF_C7FF_FFFE
    return byte < 0x80 && mask &>> UInt64(byte & 63) & 1 == 1
  }
}
