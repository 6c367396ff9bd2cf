internal import Localization

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

/// Checks one string of a text (RFC 8259 §7), eight bytes at a time while none of them is special.
struct JSONStringScanner {
  private let text: UnsafePointer<UInt8>
  private let count: Int
  private let grammar: JSONGrammar
  /// Before the scan, the position after the opening quote. Afterwards, the position after the closing quote.
  var position: Int
  var escaped = false

  init(text: UnsafePointer<UInt8>, count: Int, position: Int, _ grammar: JSONGrammar) {
    self.grammar = grammar
    self.text = text
    self.count = count
    self.position = position
  }

  @inline(__always)
  mutating func scan() throws(JSONReadError) {
    skipPlain()
    // most strings are plain to their end
    if position < count, text[position] == UInt8(ascii: "\"") {
      position &+= 1
    } else {
      try scanSpecial()
    }
  }

  @inline(never)
  private mutating func scanSpecial() throws(JSONReadError) {
    while true {
      skipPlain()
      guard position < count else { throw failure(.quote) }
      let byte = text[position]
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return
      case UInt8(ascii: "\\"):
        escaped = true
        try escape()
      case ..<0x20: throw failure(.escapedControl)
      case 0x80...: try multibyte(byte)
      default: position += 1
      }
    }
  }

  /// Skips bytes that need no check: ASCII without quotes, backslashes and control characters.
  @inline(__always)
  private mutating func skipPlain() {
    while position &+ 8 <= count {
      let eight = EightBytes(text, at: position)
      let hit = eight.special | eight.beyondASCII
      if hit != 0 {
        position &+= hit.trailingZeroBitCount &>> 3
        return
      }
      position &+= 8
    }
    // fewer than eight bytes are left: each is checked by itself
    while position < count, Self.isPlain(text[position]) { position &+= 1 }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private mutating func escape() throws(JSONReadError) {
    position += 1
    guard position < count else { throw failure(.escape) }
    switch text[position] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 1
    case UInt8(ascii: "u"):
      let unit = try fourHexadecimals()
      guard grammar == .strict else { return }
      switch unit {
      case 0xDC00...0xDFFF: throw failure(.highSurrogate)
      case 0xD800...0xDBFF:
        guard position + 1 < count, text[position] == UInt8(ascii: "\\"), text[position + 1] == UInt8(ascii: "u")
        else { throw failure(.lowSurrogate) }
        position += 1
        guard case 0xDC00...0xDFFF = try fourHexadecimals() else {
          throw failure(.lowSurrogate)
        }
      default: break
      }
    default: throw failure(.knownEscape)
    }
  }

  /// Reads four digits. Call it at the `u`. Afterwards `position` is after the digits.
  private mutating func fourHexadecimals() throws(JSONReadError) -> UInt32 {
    var unit: UInt32 = 0
    position += 1
    for _ in 0..<4 {
      guard position < count, let digit = JSONBytes.hexadecimal(text[position]) else {
        throw failure(.hexadecimal)
      }
      unit = unit << 4 | digit
      position += 1
    }
    return unit
  }

  /// Checks one character of UTF-8 (RFC 3629 §4): no overlong forms, no surrogates, nothing above U+10FFFF.
  private mutating func multibyte(_ lead: UInt8) throws(JSONReadError) {
    let length: Int
    let second: ClosedRange<UInt8>
    switch lead {
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xE1...0xEC, 0xEE...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: throw failure(.utf8)
    }
    for offset in 1..<length {
      let allowed = offset == 1 ? second : 0x80...0xBF
      guard position + offset < count, allowed.contains(text[position + offset]) else {
        throw failure(.utf8)
      }
    }
    position += length
  }

  private func failure(_ expected: JSONMessageKey) -> JSONReadError {
    JSONReadError(reason: .syntax(expected: expected), offset: position)
  }
}
