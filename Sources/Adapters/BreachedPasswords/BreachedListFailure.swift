internal import Linux
package import Localization

/// Why a file cannot serve as a list. Each case has a message that names the file.
package enum BreachedListFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// open(2), fstat(2) or pread(2) failed.
  case cannotOpen(path: String, errorNumber: Int32)
  /// The path names a directory, a device or a pipe.
  case notAFile(path: String)
  /// The file does not begin with the list format's magic bytes.
  case notAList(path: String)
  case newerVersion(path: String, version: UInt32)
  /// The header does not match its checksum.
  case damagedHeader(path: String)
  /// The file ends after `at` bytes instead of `of`. `of` is nil if the header, which states the size, is incomplete.
  case cutOff(path: String, at: Int, of: Int?)
  /// The file is longer than the list.
  case tooLong(path: String, count: Int, expected: Int)

  /// In English, for the log.
  package var description: String { sentence.english }

  package var sentence: LocalizedMessage {
    switch self {
    case .cannotOpen(let path, let errorNumber):
      LocalizedMessage(BreachedListMessageKey.cannotOpen, ["list": .text(path), "reason": .text(reason(errorNumber))])
    case .notAFile(let path): LocalizedMessage(BreachedListMessageKey.notAFile, ["list": .text(path)])
    case .notAList(let path): LocalizedMessage(BreachedListMessageKey.notAList, ["list": .text(path)])
    case .newerVersion(let path, let version):
      LocalizedMessage(
        BreachedListMessageKey.newerVersion,
        ["list": .text(path), "version": "\(version)", "known": "\(ListHeader.version)"])
    case .damagedHeader(let path): LocalizedMessage(BreachedListMessageKey.damagedHeader, ["list": .text(path)])
    case .cutOff(let path, let position, nil):
      LocalizedMessage(BreachedListMessageKey.cutOffHeader, ["list": .text(path), "count": .number(position)])
    case .cutOff(let path, let position, let count?):
      LocalizedMessage(
        BreachedListMessageKey.cutOff, ["list": .text(path), "count": .number(position), "all": .number(count)])
    case .tooLong(let path, let count, let expected):
      LocalizedMessage(
        BreachedListMessageKey.tooLong, ["list": .text(path), "count": .number(count), "all": .number(expected)])
    }
  }
}

/// The message of an errno(3) value, by strerror(3).
func reason(_ errorNumber: Int32) -> String { SystemError.text(errorNumber) }
