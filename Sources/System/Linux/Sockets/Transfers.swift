internal import CLinux
internal import Glibc

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
