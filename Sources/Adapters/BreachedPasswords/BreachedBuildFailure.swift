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
