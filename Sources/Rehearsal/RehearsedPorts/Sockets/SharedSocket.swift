internal import Linux
internal import Synchronization

/// A socket that one thread uses and closes, and that any thread may shut down.
///
/// The using thread needs no lock: no other thread closes the socket. `shutdown` takes one, so that it never meets a number
/// that is another file's by then.
package final class SharedSocket: Sendable {
  package let number: Int32
  private let owned: Mutex<Descriptor?>

  init(_ descriptor: consuming Descriptor) {
    number = descriptor.number
    owned = Mutex(descriptor)
  }

  /// For the thread that uses it.
  var descriptor: Descriptor { Descriptor(borrowing: number) }

  /// Closes it, once.
  package func close() { owned.withLock { $0 = nil } }

  /// Ends what the using thread waits for.
  package func shutdown() {
    owned.withLock { owned in
      if owned != nil { descriptor.shutdown(.both) }
    }
  }
}

/// As a TCP connection.
extension SharedSocket {
  /// At most `limit` bytes; none at the connection's end, whatever ended it.
  package func receive(_ limit: Int = 16_384) -> [UInt8] { (try? descriptor.receive(atMost: limit)) ?? [] }

  /// - Returns: Whether the kernel took all bytes; false if the peer has gone.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    do { try descriptor.sendAll(bytes) } catch { return false }
    return true
  }

  /// Waits until the peer has closed, or another thread has shut the connection down. Drops what still arrives.
  package func waitForEnd() { while !receive().isEmpty {} }

  /// Waits for `delay`.
  ///
  /// - Returns: False, and sooner, if the peer closed or another thread shut the connection down.
  package func isOpen(after delay: Duration) -> Bool {
    delay <= .zero || !Polling.isReady(.ended(number), atMost: delay)
  }

  /// Passes bytes on in both directions, until either peer has ended its sending or has gone.
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

  /// Sends FIN, and waits until the peer has closed too: to close with unread bytes would reset.
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
