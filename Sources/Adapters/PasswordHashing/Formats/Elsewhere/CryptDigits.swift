/// The digits in which crypt(3), yescrypt and phpass write numbers and bytes: six bits each, the lowest first.
enum CryptDigits {
  private static let alphabet = Array("./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

  /// The digit's value, 0 to 63, or nil for any other byte.
  static func value(of digit: UInt8) -> Int? { alphabet.firstIndex(of: digit) }

  /// Decodes bytes. Nil for another character, for a last digit that completes no byte, and for unused bits that are
  /// not 0: no password would match such a hash value.
  static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let digits = text.compactMap(value)
    guard digits.count == text.count, digits.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: digits.count, by: 4) {
      let group = digits[start..<min(start + 4, digits.count)]
      let value = group.reversed().reduce(0) { $0 << 6 | $1 }
      let count = group.count * 6 / 8
      guard value >> (8 * count) == 0 else { return nil }
      for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
    return bytes
  }
}
