internal import Linux
internal import Synchronization

/// A socket that one thread uses and closes, and that any thread may shut down.
///
/// The using thread needs no lock: no other thread closes the socket. `shutdown` takes one, so that it never meets a number
/// that is another file's by then.
final class SharedSocket: Sendable {
  let number: Int32
  private let owned: Mutex<Descriptor?>

  init(_ descriptor: consuming Descriptor) {
    number = descriptor.number
    owned = Mutex(descriptor)
  }

  /// For the thread that uses it.
  var descriptor: Descriptor { Descriptor(borrowing: number) }

  /// Closes it, once.
  func close() { owned.withLock { $0 = nil } }

  /// Ends what the using thread waits for.
  func shutdown() {
    owned.withLock { owned in
      if owned != nil { descriptor.shutdown(.both) }
    }
  }
}

/// As a TCP connection.
extension SharedSocket {
  /// At most `limit` bytes; none at the connection's end, whatever ended it.
  func receive(_ limit: Int = 16_384) -> [UInt8] { (try? descriptor.receive(atMost: limit)) ?? [] }

  /// - Returns: Whether the kernel took all bytes; false if the peer has gone.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    do { try descriptor.sendAll(bytes) } catch { return false }
    return true
  }

  /// Waits until the peer has closed, or another thread has shut the connection down. Drops what still arrives.
  func waitForEnd() { while !receive().isEmpty {} }

  /// Waits for `delay`.
  ///
  /// - Returns: False, and sooner, if the peer closed or another thread shut the connection down.
  func isOpen(after delay: Duration) -> Bool {
    delay <= .zero || !Polling.isReady(.ended(number), atMost: delay)
  }

  /// Sends FIN, and waits until the peer has closed too: to close with unread bytes would reset.
  func finish() {
    descriptor.shutdown(.writing)
    waitForEnd()
    close()
  }

  /// Closes with RST.
  func reset() {
    descriptor.setResetOnClose()
    close()
  }
}
