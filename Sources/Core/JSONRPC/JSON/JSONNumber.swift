/// Reads numbers that are written with a fraction or an exponent.
enum JSONNumber {
  /// The exact value of the number, or nil if it has a fractional part or does not fit 64 bits.
  ///
  /// - Parameter text: A number by the grammar of RFC 8259 section 6.
  static func integer(_ text: String) -> Int64? {
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    let parts = text.utf8.dropFirst(isNegative ? 1 : 0)
      .split(maxSplits: 1) { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
    guard let mantissa = parts.first else { return nil }
    let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.endIndex
    let (whole, fraction) = (mantissa[..<point], mantissa[point...].dropFirst())
    var digits = (Array(whole) + Array(fraction)).drop { $0 == UInt8(ascii: "0") }
    guard !digits.isEmpty else { return 0 }
    // zeros at the end belong to the exponent
    let significant = digits.lastIndex { $0 != UInt8(ascii: "0") } ?? digits.startIndex
    let zeros = digits.endIndex - 1 - significant
    digits = digits[...significant]
    // an exponent beyond 64 bits leaves no integer that fits, because a text is far shorter than 2 to the 63rd
    guard let exponent = parts.count < 2 ? 0 : Int(String(decoding: parts[1], as: UTF8.self)) else { return nil }
    let (scale, overflows) = exponent.addingReportingOverflow(zeros - fraction.count)
    // 19 digits are the most that fit
    guard !overflows, scale >= 0, scale <= 19 - digits.count else { return nil }
    let all = (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)
    return Int64(all + String(repeating: "0", count: scale))
  }
}
