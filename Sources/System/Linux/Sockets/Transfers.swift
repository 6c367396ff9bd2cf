internal import CLinux
internal import Glibc

/// Calls on a socket that never wait, whatever mode the socket has, and whose usual outcomes are values.
extension Descriptor {
  package enum Received: Equatable, Sendable {
    /// So many bytes, one at least. Unless `isAll`, there may be more.
    case bytes(Int, isAll: Bool)
    /// Nothing has come since.
    case nothing
    /// The peer sends no more.
    case end
    /// As errno(3) has it.
    case failed(Int32)
  }

  /// Receives once. Descriptors that come with the bytes are dropped.
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
    /// The kernel has taken so many bytes; 0 if it takes none now.
    case bytes(Int)
    /// As errno(3) has it. No signal is raised for a peer that has gone.
    case failed(Int32)
  }

  /// Sends what the kernel takes.
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
  /// - Returns: Nil if none waits, on a descriptor that does not wait.
  package func acceptNow() throws(SystemError) -> Descriptor? {
    do throws(SystemError) { return try accept() } catch {
      guard error.number == SystemError.wouldBlock else { throw error }
      return nil
    }
  }

  /// The number that the process's next descriptor gets: the lowest that is free; nil where none is. Found by trying.
  package var lowestFreeNumber: Int32? {
    let probe = fcntl(number, F_DUPFD_CLOEXEC, 0)
    guard probe >= 0 else { return nil }
    _ = Descriptor(owning: probe)
    return probe
  }

  /// Makes calls on the descriptor throw `wouldBlock` where they would wait, in all processes that share it.
  package func stopWaiting() throws(SystemError) {
    let flags = try checked("fcntl") { fcntl(number, F_GETFL) }
    if flags & O_NONBLOCK == 0 { _ = try checked("fcntl") { fcntl(number, F_SETFL, flags | O_NONBLOCK) } }
  }
}
