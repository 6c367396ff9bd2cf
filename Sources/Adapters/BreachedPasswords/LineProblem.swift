/// A line that was skipped.
package struct LineProblem: Equatable, Sendable, CustomStringConvertible {
  /// From 1.
  package let line: Int
  /// What is wrong with it, and what would be right.
  package let reason: String

  package var description: String { "line \(line): \(reason)" }

  static let tooLong = "it has more than \(HashListReader.longestLine) bytes, where a hash and a count have some 50"
  static let noCount = "it has no count, which the least count asks for; HEX:COUNT is expected"

  /// Why `HashLine` does not accept the line.
  ///
  /// - Parameter line: Without its line feed.
  static func reason(for line: UnsafeBufferPointer<UInt8>) -> String {
    let text = line.last == UInt8(ascii: "\r") ? UnsafeBufferPointer(rebasing: line.dropLast()) : line
    if text.isEmpty { return "it is empty" }
    let digits = text.prefix(while: isHexDigit).count
    let next = digits < text.count ? text[digits] : UInt8(ascii: ":")
    guard next == UInt8(ascii: ":") else {
      return "\(character(next)) at column \(digits + 1) is no hexadecimal digit; HEX:COUNT is expected"
    }
    guard digits == HashLine.digits else { return "\(digits) hexadecimal digits, not 40\(hint(digits))" }
    let count = text.dropFirst(digits + 1)
    if let wrong = count.firstIndex(where: { $0 &- UInt8(ascii: "0") > 9 }) {
      return "\(character(text[wrong])) at column \(wrong + 1) is no digit of a count"
    }
    return count.isEmpty ? "there is no count behind its colon" : "its count has more than 18 digits"
  }

  /// The kind of list that has lines of so many digits, for lists that the same sites publish.
  private static func hint(_ digits: Int) -> String {
    switch digits {
    case 32: "; this is how NTLM hashes look, and regd needs the SHA-1 list"
    case 35: "; this is how a range of the web interface looks, whose first five digits are in its name"
    case 64: "; this is how SHA-256 looks, and regd needs the SHA-1 list"
    default: ""
    }
  }

  private static func character(_ byte: UInt8) -> String {
    (0x20..<0x7F).contains(byte) ? "\"\(Character(UnicodeScalar(byte)))\"" : "byte 0x\(String(byte, radix: 16))"
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 6
  }
}
