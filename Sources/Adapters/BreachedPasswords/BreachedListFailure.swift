internal import Linux

/// Why a file cannot serve as a list. Each has a sentence that names the file.
package enum BreachedListFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// open(2), fstat(2) or pread(2) failed.
  case cannotOpen(path: String, errorNumber: Int32)
  /// A directory, a device, a pipe.
  case notAFile(path: String)
  /// It does not begin as a list does.
  case notAList(path: String)
  case newerVersion(path: String, version: UInt32)
  /// The header is not what its checksum says.
  case damagedHeader(path: String)
  /// The file ends too early. `count` is nil where not even the header, which knows it, is whole.
  case cutOff(path: String, at: Int, of: Int?)
  /// The file goes on behind the list's end.
  case tooLong(path: String, count: Int, expected: Int)

  package var description: String {
    switch self {
    case .cannotOpen(let path, let errorNumber):
      "\(path) cannot be opened: \(reason(errorNumber)); \(Self.remedy)"
    case .notAFile(let path):
      "\(path) is not a file that can be mapped (a directory, a device or a pipe); \(Self.remedy)"
    case .notAList(let path):
      "\(path) is not a list of breached passwords as regctl builds it; \(Self.remedy)"
    case .newerVersion(let path, let version):
      "\(path) is of version \(version), made by a newer regctl; this one reads version \(ListHeader.version)"
    case .damagedHeader(let path):
      "\(path) is damaged: its header is not what the header's checksum says; \(Self.remedy)"
    case .cutOff(let path, let position, nil):
      "\(path) is cut off at byte \(position), within its header; \(Self.remedy)"
    case .cutOff(let path, let position, let count?):
      "\(path) is cut off at \(position) of \(count) bytes; copy or build it again"
    case .tooLong(let path, let count, let expected):
      "\(path) has \(count) bytes where its header says \(expected); copy or build it again"
    }
  }

  private static let remedy = "`regctl breached build` makes one"
}

/// strerror(3).
func reason(_ errorNumber: Int32) -> String { SystemError.text(errorNumber) }
