package import Localization

/// A line that the reader skipped.
package struct LineProblem: Equatable, Sendable, CustomStringConvertible {
  /// The line's number, from 1.
  package let line: Int
  /// What is wrong with the line, and the right form.
  package let reason: LocalizedMessage

  package var description: String { sentence.english }

  package var sentence: LocalizedMessage {
    LocalizedMessage(HashLineMessageKey.problem, ["line": .number(line), "reason": .sentence(reason)])
  }

  static let tooLong = LocalizedMessage(HashLineMessageKey.tooLong, ["count": .number(HashListReader.longestLine)])
  static let noCount = LocalizedMessage(HashLineMessageKey.noCount)

  /// Why `HashLine` does not accept the line.
  ///
  /// - Parameter line: Without its line feed.
  static func reason(for line: UnsafeBufferPointer<UInt8>) -> LocalizedMessage {
    let text = line.last == UInt8(ascii: "\r") ? UnsafeBufferPointer(rebasing: line.dropLast()) : line
    if text.isEmpty { return LocalizedMessage(HashLineMessageKey.empty) }
    let digits = text.prefix(while: isHexDigit).count
    let next = digits < text.count ? text[digits] : UInt8(ascii: ":")
    guard next == UInt8(ascii: ":") else {
      return LocalizedMessage(
        HashLineMessageKey.noDigit, ["character": .text(character(next)), "column": .number(digits + 1)])
    }
    guard digits == HashLine.digits else { return LocalizedMessage(ofLines(digits), ["count": .number(digits)]) }
    let count = text.dropFirst(digits + 1)
    if let wrong = count.firstIndex(where: { $0 &- UInt8(ascii: "0") > 9 }) {
      return LocalizedMessage(
        HashLineMessageKey.noDigitOfCount,
        ["character": .text(character(text[wrong])), "column": .number(wrong + 1)])
    }
    return LocalizedMessage(count.isEmpty ? HashLineMessageKey.countMissing : .countTooLong)
  }

  /// The message for a line with this many digits. It names the list that the user probably gave instead: the sites
  /// that publish SHA-1 lists also publish NTLM lists (32 digits), answers to range queries (35) and SHA-256 lists
  /// (64).
  private static func ofLines(_ digits: Int) -> HashLineMessageKey {
    switch digits {
    case 32: .ntlm
    case 35: .range
    case 64: .sha256
    default: .digits
    }
  }

  private static func character(_ byte: UInt8) -> String {
    (0x20..<0x7F).contains(byte) ? "\"\(Character(UnicodeScalar(byte)))\"" : "byte 0x\(String(byte, radix: 16))"
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 6
  }
}
