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

/// Calls on a socket that return their usual outcomes as values. Sending and receiving never wait, even on a blocking
/// socket.
extension Descriptor {
  package enum Received: Equatable, Sendable {
    /// This many bytes, at least one. More may follow unless `isAll`.
    case bytes(Int, isAll: Bool)
    /// There is nothing to read now.
    case nothing
    /// The peer sends no more.
    case end
    /// Holds the errno(3) value.
    case failed(Int32)
  }

  /// Receives once. File descriptors that the peer sends with the bytes are discarded.
  package func receive(into buffer: UnsafeMutableRawBufferPointer) -> Received {
    while true {
      var isCut: Int32 = 0
      let count = linux_receive(number, buffer.baseAddress, UInt(buffer.count), &isCut)
      if count > 0 { return .bytes(count, isAll: count < buffer.count && isCut == 0) }
      if count == 0 { return .end }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .nothing
      case let number: return .failed(number)
      }
    }
  }

  package enum Sent: Equatable, Sendable {
    /// The kernel accepted this many bytes, or 0 if it accepts none now.
    case bytes(Int)
    /// Holds the errno(3) value. A peer that has gone raises no signal.
    case failed(Int32)
  }

  /// Sends as much as the kernel accepts now.
  package func sendNow(_ bytes: UnsafeRawBufferPointer) -> Sent {
    while true {
      let count = Glibc.send(number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      if count >= 0 { return .bytes(count) }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .bytes(0)
      case let number: return .failed(number)
      }
    }
  }

  /// Accepts the next connection.
  ///
  /// - Returns: Nil if no connection waits. On a blocking descriptor, the call waits for one instead (see
  ///   `stopWaiting`).
  package func acceptNow() throws(SystemError) -> Descriptor? {
    do throws(SystemError) { return try accept() } catch {
      guard error.number == SystemError.wouldBlock else { throw error }
      return nil
    }
  }

  /// The number that the process's next descriptor would get, the lowest free one. Nil if none is free. Found by
  /// trying.
  package var lowestFreeNumber: Int32? {
    let probe = fcntl(number, F_DUPFD_CLOEXEC, 0)
    guard probe >= 0 else { return nil }
    _ = Descriptor(owning: probe)
    return probe
  }

  /// Makes calls on the descriptor throw `wouldBlock` instead of waiting, in all processes that share it.
  package func stopWaiting() throws(SystemError) {
    let flags = try checked("fcntl") { fcntl(number, F_GETFL) }
    if flags & O_NONBLOCK == 0 { _ = try checked("fcntl") { fcntl(number, F_SETFL, flags | O_NONBLOCK) } }
  }
}
