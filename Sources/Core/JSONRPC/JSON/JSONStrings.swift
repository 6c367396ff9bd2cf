/// Gets the values of strings that the reader has checked, without checking them again.
enum JSONStrings {
  @inline(__always)
  static func raw(_ node: JSONNode, _ text: UnsafePointer<UInt8>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: text + Int(node.start), count: Int(node.end &- node.start))
  }

  static func bytes(of node: JSONNode, _ text: UnsafePointer<UInt8>) -> [UInt8] {
    let raw = raw(node, text)
    guard node.escaped else { return [UInt8](raw) }
    return [UInt8](unsafeUninitializedCapacity: raw.count) { buffer, count in
      count = decode(raw, into: buffer)
    }
  }

  /// Decodes the escapes of `raw` into `buffer`, which must have room for `raw.count` bytes. Decoding never makes a
  /// text longer.
  ///
  /// - Returns: The number of bytes of the decoded text.
  private static func decode(_ raw: UnsafeRawBufferPointer, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var count = 0
    var position = 0
    func put(_ byte: UInt8) {
      buffer[count] = byte
      count += 1
    }
    while position < raw.count {
      guard raw[position] == UInt8(ascii: "\\") else {
        put(raw[position])
        position += 1
        continue
      }
      let letter = raw[position + 1]
      position += 2
      switch letter {
      case UInt8(ascii: "b"): put(0x08)
      case UInt8(ascii: "f"): put(0x0C)
      case UInt8(ascii: "n"): put(0x0A)
      case UInt8(ascii: "r"): put(0x0D)
      case UInt8(ascii: "t"): put(0x09)
      case UInt8(ascii: "u"):
        var scalar = unit(raw, position)
        position += 4
        if 0xD800...0xDBFF ~= scalar, let low = lowSurrogate(raw, position) {
          scalar = 0x10000 + (scalar & 0x3FF) << 10 + low & 0x3FF
          position += 6
        }
        if let unicode = Unicode.Scalar(scalar) {
          for byte in UTF8.encode(unicode) ?? UTF8.encodedReplacementCharacter { put(byte) }
        } else {
          // a lone surrogate, which `JSONGrammar.whole` admits, in the bytes that UTF-8 forbids for it (RFC 3629 §3)
          for byte in [0xE0 | scalar >> 12, 0x80 | scalar >> 6 & 0x3F, 0x80 | scalar & 0x3F] {
            put(UInt8(truncatingIfNeeded: byte))
          }
        }
      default: put(letter)
      }
    }
    return count
  }

  /// The low surrogate whose escape begins at `position`, or nil if no such escape begins there.
  private static func lowSurrogate(_ raw: UnsafeRawBufferPointer, _ position: Int) -> UInt32? {
    guard position + 6 <= raw.count, raw[position] == UInt8(ascii: "\\"), raw[position + 1] == UInt8(ascii: "u") else {
      return nil
    }
    let low = unit(raw, position + 2)
    return 0xDC00...0xDFFF ~= low ? low : nil
  }

  private static func unit(_ raw: UnsafeRawBufferPointer, _ position: Int) -> UInt32 {
    var unit: UInt32 = 0
    for offset in 0..<4 { unit = unit << 4 | (JSONBytes.hexadecimal(raw[position + offset]) ?? 0) }
    return unit
  }
}
