internal import CLinux
internal import Glibc

/// A file descriptor. The value closes an owned descriptor at the end of its life, but leaves a borrowed one open.
///
/// Calls block the thread unless their documentation says otherwise. A call that a signal interrupts is repeated, and
/// cancellation of a task does not end it. This module opens each descriptor with close-on-exec.
package struct Descriptor: ~Copyable, Sendable {
  /// The descriptor's number for C libraries. Valid while this value exists.
  package let number: Int32
  private let isOwned: Bool

  package init(owning number: Int32) {
    self.number = number
    isOwned = true
  }

  /// - Parameter number: A descriptor that another owner keeps open while this value exists.
  package init(borrowing number: Int32) {
    self.number = number
    isOwned = false
  }

  deinit { if isOwned { Glibc.close(number) } }

  package static var standardInput: Descriptor { Descriptor(borrowing: STDIN_FILENO) }
  package static var standardOutput: Descriptor { Descriptor(borrowing: STDOUT_FILENO) }
  package static var standardError: Descriptor { Descriptor(borrowing: STDERR_FILENO) }

  /// Gives up ownership, so that the caller must close the descriptor.
  package consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// Closes the descriptor, even a borrowed one.
  ///
  /// - Throws: The failure of an earlier write. The descriptor is closed nevertheless.
  package consuming func close() throws(SystemError) {
    let number = release()
    guard Glibc.close(number) == 0 else { throw SystemError("close", errno) }
  }

  /// A second descriptor of the same open file, with the lowest free number from `least` on.
  package func duplicate(from least: Int32 = 0) throws(SystemError) -> Descriptor {
    Descriptor(owning: try checked("dup") { fcntl(number, F_DUPFD_CLOEXEC, least) })
  }

  /// A pipe (pipe(2)): the first descriptor reads what is written to the second.
  package static func pipe() throws(SystemError) -> DescriptorPair {
    var ends: [Int32] = [-1, -1]
    _ = try checked("pipe") { linux_pipe(&ends) }
    return DescriptorPair(Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
  }

  /// A file in memory with these bytes, positioned at its beginning for reading (memfd_create(2)).
  package static func inMemory(_ bytes: [UInt8]) throws(SystemError) -> Descriptor {
    let file = Descriptor(owning: try checked("memfd_create") { linux_memory_file("regd") })
    try file.writeAll(bytes)
    _ = try checked("lseek") { lseek(file.number, 0, SEEK_SET) }
    return file
  }

  /// A descriptor that is readable as soon as the process has ended (pidfd_open(2)).
  package static func ofProcess(_ pid: Int32) throws(SystemError) -> Descriptor {
    Descriptor(owning: try checked("pidfd_open") { linux_pidfd_open(pid) })
  }
}

/// Two connected descriptors. Frozen, so that other modules can move each descriptor out of the pair.
@frozen package struct DescriptorPair: ~Copyable, Sendable {
  package let first: Descriptor
  package let second: Descriptor

  init(_ first: consuming Descriptor, _ second: consuming Descriptor) {
    self.first = first
    self.second = second
  }
}
