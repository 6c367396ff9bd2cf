extension [UInt8] {
  /// The bytes that these hexadecimal digits represent. Other characters are ignored.
  package init(hexadecimal text: String) {
    let digits = text.compactMap(\.hexDigitValue)
    self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
