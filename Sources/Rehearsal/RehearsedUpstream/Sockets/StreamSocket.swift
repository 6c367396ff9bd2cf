internal import Linux

/// One TCP connection. One thread reads, writes and closes it; others may shut it down, which ends that thread's waiting.
final class StreamSocket: Sendable {
  private let socket: SharedSocket

  init(_ descriptor: consuming Descriptor) { socket = SharedSocket(descriptor) }

  /// At most `limit` bytes; none at the connection's end, whatever ended it.
  func receive(_ limit: Int = 16_384) -> [UInt8] { (try? socket.descriptor.receive(atMost: limit)) ?? [] }

  /// - Returns: Whether the kernel took all bytes; false if the peer has gone.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    do { try socket.descriptor.sendAll(bytes) } catch { return false }
    return true
  }

  /// Waits until the peer has closed, or another thread has shut the connection down. Drops what still arrives.
  func waitForEnd() { while !receive().isEmpty {} }

  /// Waits for `delay`.
  ///
  /// - Returns: False, and sooner, if the peer closed or another thread shut the connection down.
  func isOpen(after delay: Duration) -> Bool {
    delay <= .zero || !Polling.isReady(.ended(socket.number), atMost: delay)
  }

  /// Sends FIN, and waits until the peer has closed too: to close with unread bytes would reset.
  func finish() {
    socket.descriptor.shutdown(.writing)
    waitForEnd()
    socket.close()
  }

  /// Closes with RST.
  func reset() {
    socket.descriptor.setResetOnClose()
    socket.close()
  }

  func close() { socket.close() }

  /// From any thread, at any time.
  func shutdown() { socket.shutdown() }
}
