/// Facts about single bytes of JSON.
enum JSONBytes {
  /// RFC 8259 §2: space, tab, line feed, carriage return.
  @inline(__always)
  static func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
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
}

/// Overwrites bytes that held a secret.
///
/// Not inlined, so that the compiler cannot see that nobody reads the memory again and leave the stores out.
@inline(never)
package func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
  for index in bytes.indices { bytes[index] = 0 }
}

/// Appends to an array that holds secrets: where it must move to grow, the place it leaves is overwritten.
package func append(_ bytes: some Collection<UInt8>, wiping array: inout [UInt8]) {
  let needed = array.count + bytes.count
  if needed > array.capacity {
    var larger: [UInt8] = []
    larger.reserveCapacity(max(needed, array.capacity * 2))
    larger.append(contentsOf: array)
    // exchanged and not assigned: with two holders the append below would move once more, and wipe nothing
    swap(&array, &larger)
    larger.withUnsafeMutableBytes { wipe($0) }
  }
  array.append(contentsOf: bytes)
}
