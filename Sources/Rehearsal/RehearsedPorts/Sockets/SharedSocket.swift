internal import Linux
internal import Synchronization

/// A socket that one thread uses and closes, and that any thread may shut down.
///
/// The using thread needs no lock, because no other thread closes the socket. `shutdown` takes a lock, so that it never uses a
/// number that has become another file's.
package final class SharedSocket: Sendable {
  package let number: Int32
  private let owned: Mutex<Descriptor?>

  init(_ descriptor: consuming Descriptor) {
    number = descriptor.number
    owned = Mutex(descriptor)
  }

  /// The socket, for the using thread only.
  var descriptor: Descriptor { Descriptor(borrowing: number) }

  /// Closes the socket. Later calls are no-ops.
  package func close() { owned.withLock { $0 = nil } }

  /// Shuts the socket down, which ends the using thread's wait.
  package func shutdown() {
    owned.withLock { owned in
      if owned != nil { descriptor.shutdown(.both) }
    }
  }
}

/// The socket as a TCP connection.
extension SharedSocket {
  /// Waits for bytes, and returns at most `limit` of them, or an empty array if the connection has ended, for any reason.
  package func receive(_ limit: Int = 16_384) -> [UInt8] { (try? descriptor.receive(atMost: limit)) ?? [] }

  /// - Returns: Whether the kernel accepted all bytes. False if the peer has gone.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    do { try descriptor.sendAll(bytes) } catch { return false }
    return true
  }

  /// Waits until the peer has closed the connection, or another thread has shut it down. Discards bytes that still
  /// arrive.
  package func waitForEnd() { while !receive().isEmpty {} }

  /// Waits for `delay`.
  ///
  /// - Returns: False, before the time is up, if the peer closed the connection or another thread shut it down.
  package func isOpen(after delay: Duration) -> Bool {
    delay <= .zero || !Polling.isReady(.ended(number), atMost: delay)
  }

  /// Forwards bytes in both directions, until either peer ends its sending or has gone.
  package func splice(with other: SharedSocket) {
    while true {
      let ready = Polling.wait(for: [.readable(number), .readable(other.number)])
      if ready[0], !pass(to: other) { return }
      if ready[1], !other.pass(to: self) { return }
    }
  }

  private func pass(to other: SharedSocket) -> Bool {
    let bytes = receive()
    return !bytes.isEmpty && other.send(bytes)
  }

  /// Sends FIN, and waits until the peer has also closed, because closing with unread bytes would send RST.
  package func finish() {
    descriptor.shutdown(.writing)
    waitForEnd()
    close()
  }

  /// Closes with RST.
  package func reset() {
    descriptor.setResetOnClose()
    close()
  }
}
