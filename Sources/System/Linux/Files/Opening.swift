internal import CLinux
internal import Glibc

/// How a file is opened (open(2)).
package struct OpenOptions: OptionSet, Sendable {
  package let rawValue: Int32
  package init(rawValue: Int32) { self.rawValue = rawValue }

  package static let reading = OpenOptions([])
  package static let writing = OpenOptions(rawValue: O_WRONLY)
  package static let readingAndWriting = OpenOptions(rawValue: O_RDWR)
  /// Creates the file if it does not exist.
  package static let creating = OpenOptions(rawValue: O_CREAT)
  /// Creates the file. Fails if it exists.
  package static let creatingNew = OpenOptions(rawValue: O_CREAT | O_EXCL)
  package static let truncating = OpenOptions(rawValue: O_TRUNC)
  /// Each write goes to the end of the file.
  package static let appending = OpenOptions(rawValue: O_APPEND)
  /// Does not wait for the other end of a named pipe, neither in the open nor in later reads.
  package static let withoutWaiting = OpenOptions(rawValue: O_NONBLOCK)
  /// Does not make a terminal the process's controlling terminal.
  package static let withoutTerminal = OpenOptions(rawValue: O_NOCTTY)
  /// Fails if the last part of the path is a symbolic link.
  package static let withoutLink = OpenOptions(rawValue: O_NOFOLLOW)
  /// Gives a descriptor that represents the file but cannot read or write its content (O_PATH).
  package static let placeOnly = OpenOptions(rawValue: linux_O_PATH)
  /// Creates a file without a name in the directory at the path (O_TMPFILE).
  package static let nameless = OpenOptions(rawValue: 0o20_000_000 | O_DIRECTORY)
}

extension Descriptor {
  /// - Parameter permissions: Mode of a file that is created, less the process's mask (umask(2)).
  package static func open(
    _ path: String, _ options: OpenOptions, permissions: UInt32 = 0o666
  ) throws(SystemError) -> Descriptor {
    Descriptor(owning: try checked("open") { Glibc.open(path, options.rawValue | O_CLOEXEC, permissions) })
  }

  /// Makes later reads and writes wait, as if the file had been opened without `withoutWaiting`.
  package func setWaiting() throws(SystemError) {
    let flags = try checked("fcntl") { fcntl(number, F_GETFL) }
    _ = try checked("fcntl") { fcntl(number, F_SETFL, flags & ~O_NONBLOCK) }
  }
}
