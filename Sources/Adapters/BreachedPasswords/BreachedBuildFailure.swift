package import Localization

/// Why no list was built. An existing file of the same name is unchanged.
package enum BreachedBuildFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// The rate is not within `BreachedListBuilder.Options.rates`.
  case impossibleRate(Double)
  /// The input is a pipe, and no number of entries was given.
  case sizeUnknown
  /// The number of entries is negative, or needs a file larger than files can be.
  case impossibleEntries(Int)
  /// The output's path names the input.
  case wouldReplaceInput(path: String)
  /// The output's path names a directory, a device or a pipe.
  case notAFile(path: String)
  case cannotRead(errorNumber: Int32)
  case cannotWrite(path: String, action: Action, errorNumber: Int32)
  /// The first 100 lines, or all lines of a shorter input, are malformed.
  case notAHashList(problems: [LineProblem])
  /// The input is empty.
  case noLines
  /// All hashes have counts below the minimum.
  case allLeftOut(lines: Int, minimumCount: UInt64)

  /// The step that failed. `given(bytes:)` reserves the file's space. `givenAName` links the finished file under its
  /// temporary name, and `givenItsName` renames it to the final one.
  package enum Action: Equatable, Sendable {
    case mapped, made, written, givenAName, givenItsName
    case given(bytes: Int)
  }

  /// In English. Programs show `sentence`, which is translated.
  package var description: String { sentence.english + problems.map { "\n  \($0)" }.joined() }

  /// The wrong lines, to be shown below the message.
  package var problems: [LineProblem] { if case .notAHashList(let problems) = self { problems } else { [] } }

  package var sentence: LocalizedMessage {
    switch self {
    case .impossibleRate(let rate): LocalizedMessage(BreachedListMessageKey.impossibleRate, ["rate": "\(rate)"])
    case .sizeUnknown: LocalizedMessage(BreachedListMessageKey.sizeUnknown)
    case .impossibleEntries(let entries):
      LocalizedMessage(BreachedListMessageKey.impossibleEntries, ["count": .number(entries)])
    case .wouldReplaceInput(let path): LocalizedMessage(BreachedListMessageKey.wouldReplaceInput, ["list": .text(path)])
    case .notAFile(let path): LocalizedMessage(BreachedListMessageKey.notReplaced, ["list": .text(path)])
    case .cannotRead(let errorNumber):
      LocalizedMessage(BreachedListMessageKey.cannotRead, ["reason": .text(reason(errorNumber))])
    case .cannotWrite(let path, let action, let errorNumber): action.sentence(path, reason(errorNumber))
    case .notAHashList: LocalizedMessage(BreachedListMessageKey.notAHashList)
    case .noLines: LocalizedMessage(BreachedListMessageKey.noLines)
    case .allLeftOut(let lines, let minimumCount):
      LocalizedMessage(BreachedListMessageKey.allLeftOut, ["count": .number(lines), "least": "\(minimumCount)"])
    }
  }
}

extension BreachedBuildFailure.Action {
  fileprivate func sentence(_ path: String, _ reason: String) -> LocalizedMessage {
    let (key, count): (BreachedListMessageKey, Int) =
      switch self {
      case .mapped: (.cannotBeMapped, 0)
      case .made: (.cannotBeMade, 0)
      case .written: (.cannotBeWritten, 0)
      case .givenAName: (.cannotBeGivenAName, 0)
      case .givenItsName: (.cannotBeGivenItsName, 0)
      case .given(let bytes): (.cannotBeGivenBytes, bytes)
      }
    return LocalizedMessage(key, ["file": .text(path), "reason": .text(reason), "count": .number(count)])
  }
}

/// A line that the reader skipped.
package struct LineProblem: Equatable, Sendable, CustomStringConvertible {
  /// The line's number, from 1.
  package let line: Int
  /// A message that names the mistake in the line and the right form.
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
