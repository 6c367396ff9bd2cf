/// Base64 of the standard alphabet (RFC 4648 §4). Foundation also has it, but no program of regd links Foundation.
///
/// `@usableFromInline`, because doors of another module decode passwords (hot path), and the compiler inlines nothing of
/// a type that is only `package`.
@usableFromInline package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// - Parameter isPadded: Whether the text ends with its padding. PHC strings have none.
  package static func encoded(_ bytes: some Sequence<UInt8>, isPadded: Bool = true) -> String {
    // The loop is not generic, because the compiler does not specialize generic code of another module.
    bytes.withContiguousStorageIfAvailable { text(of: $0, isPadded) }
      ?? Array(bytes).withUnsafeBufferPointer { text(of: $0, isPadded) }
  }

  private static func text(of bytes: UnsafeBufferPointer<UInt8>, _ isPadded: Bool) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var (bits, count): (UInt32, UInt32) = (0, 0)
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 6 {
        count -= 6
        text.append(alphabet[Int(bits >> count & 63)])
      }
    }
    if count > 0 { text.append(alphabet[Int(bits << (6 - count) & 63)]) }
    while isPadded, text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes a text, which must have its padding and nothing besides.
  ///
  /// - Parameters:
  ///   - allowsStrayBits: Whether the unused bits of the last digit may be other than zero. Several texts then have the
  ///     same bytes.
  ///   - take: Gets each byte. The decoder keeps no byte, so a secret is only where `take` puts it.
  /// - Returns: False if the text is not base64. `take` may have got some bytes before.
  @inlinable package static func decode(
    _ text: some Collection<UInt8>, allowsStrayBits: Bool = false, _ take: (UInt8) -> Void
  ) -> Bool {
    let digits = text.prefix { $0 != UInt8(ascii: "=") }
    let padding = text.dropFirst(digits.count)
    guard text.count % 4 == 0, padding.count <= 2, padding.allSatisfy({ $0 == UInt8(ascii: "=") }) else { return false }
    var (bits, count): (UInt32, UInt32) = (0, 0)
    for digit in digits {
      guard let value = value(of: digit) else { return false }
      bits = bits << 6 | value
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      take(UInt8(truncatingIfNeeded: bits >> count))
    }
    return allowsStrayBits || bits & (1 << count - 1) == 0
  }

  /// Decodes a text as above. Returns nil if it is not base64.
  package static func decoded(_ text: some Collection<UInt8>, allowsStrayBits: Bool = false) -> [UInt8]? {
    text.withContiguousStorageIfAvailable { bytes(of: $0, allowsStrayBits) }
      ?? Array(text).withUnsafeBufferPointer { bytes(of: $0, allowsStrayBits) }
  }

  private static func bytes(of text: UnsafeBufferPointer<UInt8>, _ allowsStrayBits: Bool) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    let isBase64 = decode(text, allowsStrayBits: allowsStrayBits) { bytes.append($0) }
    return isBase64 ? bytes : nil
  }

  @inlinable static func value(of digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
