internal import CLinux
internal import Glibc

/// One TCP connection. One thread reads, writes and closes it; others may only shut it down, which ends what that thread
/// is waiting for.
final class StreamSocket: Sendable {
  private let descriptor: Descriptor

  init(_ descriptor: consuming Int32) { self.descriptor = Descriptor(descriptor) }

  /// At most `limit` bytes; empty at the end, and where the connection is no more.
  func receive(_ limit: Int = 16_384) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      var received = -1
      repeat { received = recv(descriptor.number, buffer.baseAddress, limit, 0) } while received < 0 && errno == EINTR
      count = max(0, received)
    }
  }

  /// Whether all of it went out; a peer that is gone is no failure here.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
        let count = Glibc.send(descriptor.number, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
        if count > 0 { sent += count } else if errno != EINTR { return false }
      }
      return true
    }
  }

  /// Waits until the peer has closed, or somebody has shut the connection down. What still comes is thrown away.
  func waitForEnd() { while !receive().isEmpty {} }

  /// Waits for a time to pass.
  ///
  /// - Returns: False, and sooner, where the peer closed or somebody shut the connection down.
  func isOpen(after delay: Duration) -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + delay
    while true {
      let left = end - clock.now
      guard left > .zero else { return true }
      // rounded up, so that the last round does not spin
      let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1
      var event = pollfd(fd: descriptor.number, events: linux_POLLRDHUP, revents: 0)
      if poll(&event, 1, Int32(clamping: milliseconds)) > 0 { return false }
    }
  }

  /// Says that no more will come (FIN), and waits until the peer has closed too: closing with unread bytes would reset.
  func finish() {
    Glibc.shutdown(descriptor.number, Int32(SHUT_WR))
    waitForEnd()
    descriptor.close()
  }

  /// Closes with a reset (RST) instead of an end.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor.number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    descriptor.close()
  }

  func close() { descriptor.close() }

  /// From any thread, at any time.
  func shutdown() { descriptor.shutdown() }
}
