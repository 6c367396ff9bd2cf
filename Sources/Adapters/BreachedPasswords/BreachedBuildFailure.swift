/// Why no list was built. A file of the same name is left as it was.
package enum BreachedBuildFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// Not within `BreachedListBuilder.Options.rates`.
  case impossibleRate(Double)
  /// The input is a pipe, and no number of entries was given.
  case sizeUnknown
  /// A negative number, or one whose file would be larger than files can be.
  case impossibleEntries(Int)
  /// The output's path names the input.
  case wouldReplaceInput(path: String)
  /// The output's path names a directory, a device or a pipe.
  case notAFile(path: String)
  case cannotRead(errorNumber: Int32)
  /// What could not be done with the file, as in "PATH cannot be (action)".
  case cannotWrite(path: String, action: String, errorNumber: Int32)
  /// All lines at the beginning are wrong, or all there are.
  case notAHashList(problems: [LineProblem])
  /// The input is empty.
  case noLines
  /// All hashes have counts below the minimum.
  case allLeftOut(lines: Int, minimumCount: UInt64)

  package var description: String {
    switch self {
    case .impossibleRate(let rate):
      "a false-positive rate of \(rate) cannot be had; from 0.000001 to 0.1 can"
    case .sizeUnknown:
      "a pipe does not say how many hashes come through it; --entries has to, and may say somewhat more"
    case .impossibleEntries(let entries):
      "\(entries) entries cannot be planned for; from 0 to what the disk has room for can"
    case .wouldReplaceInput(let path):
      "\(path) is the list that is read, and would be replaced; name another file for the output"
    case .notAFile(let path):
      "\(path) is a directory, a device or a pipe, and only a file can be replaced; name a file"
    case .cannotRead(let errorNumber):
      "the list cannot be read: \(reason(errorNumber))"
    case .cannotWrite(let path, let action, let errorNumber):
      "\(path) cannot be \(action): \(reason(errorNumber))"
    case .notAHashList(let problems):
      """
      this is no list of SHA-1 hashes: no line is HEX:COUNT with 40 hexadecimal digits
      \(problems.map { "  \($0)" }.joined(separator: "\n"))
      """
    case .noLines:
      "the list is empty"
    case .allLeftOut(let lines, let minimumCount):
      "none of \(lines) hashes has a count of \(minimumCount) or more; ask for a lower one"
    }
  }
}
