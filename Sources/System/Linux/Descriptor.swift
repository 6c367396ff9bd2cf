internal import CLinux
internal import Glibc

/// A file descriptor. Its owner's end closes it; one that is borrowed stays open.
///
/// All calls block unless they say otherwise; a signal does not interrupt them. Every descriptor that this module opens is
/// closed on exec.
package struct Descriptor: ~Copyable, Sendable {
  /// For C libraries and SwiftNIO. Good as long as this value lives.
  package let number: Int32
  private let isOwned: Bool

  package init(owning number: Int32) {
    self.number = number
    isOwned = true
  }

  /// Another's descriptor, which must stay open as long as this value lives.
  package init(borrowing number: Int32) {
    self.number = number
    isOwned = false
  }

  deinit { if isOwned { Glibc.close(number) } }

  package static var standardInput: Descriptor { Descriptor(borrowing: STDIN_FILENO) }
  package static var standardOutput: Descriptor { Descriptor(borrowing: STDOUT_FILENO) }
  package static var standardError: Descriptor { Descriptor(borrowing: STDERR_FILENO) }

  /// Leaves the descriptor open, for the caller to close.
  package consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// Closes it, whoever owns it.
  ///
  /// - Throws: What an earlier write met; the descriptor is closed nevertheless.
  package consuming func close() throws(SystemError) {
    let number = release()
    guard Glibc.close(number) == 0 else { throw SystemError("close", errno) }
  }

  /// A second descriptor of the same open file, with the lowest free number from `least` on.
  package func duplicate(from least: Int32 = 0) throws(SystemError) -> Descriptor {
    Descriptor(owning: try checked("dup") { fcntl(number, F_DUPFD_CLOEXEC, least) })
  }

  /// pipe(2): what is written to the second can be read from the first.
  package static func pipe() throws(SystemError) -> DescriptorPair {
    var ends: [Int32] = [-1, -1]
    _ = try checked("pipe") { linux_pipe(&ends) }
    return DescriptorPair(Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
  }

  /// Readable as soon as the process has ended (pidfd_open(2)).
  package static func ofProcess(_ pid: Int32) throws(SystemError) -> Descriptor {
    Descriptor(owning: try checked("pidfd_open") { linux_pidfd_open(pid) })
  }
}

/// Two connected descriptors; each can be taken out on its own.
@frozen package struct DescriptorPair: ~Copyable, Sendable {
  package let first: Descriptor
  package let second: Descriptor

  init(_ first: consuming Descriptor, _ second: consuming Descriptor) {
    self.first = first
    self.second = second
  }
}
