extension [UInt8] {
  /// Two digits for each byte, in lower case.
  package var hexadecimal: String {
    String(unsafeUninitializedCapacity: 2 * count) { text in
      for (index, byte) in enumerated() {
        text[2 * index] = Self.digit(byte >> 4)
        text[2 * index + 1] = Self.digit(byte & 0xF)
      }
      return 2 * count
    }
  }

  /// Reads only texts that `hexadecimal` returns. The result is nil for other texts.
  package init?(hexadecimal text: some StringProtocol) {
    let digits = text.utf8.compactMap { Self.value(of: $0) }
    guard digits.count == text.utf8.count, digits.count % 2 == 0 else { return nil }
    self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
