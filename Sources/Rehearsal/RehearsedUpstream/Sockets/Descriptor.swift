internal import Glibc
internal import Synchronization

/// A socket's descriptor, closed once. Its thread uses the number without a lock, for only that thread closes; a shutdown
/// from elsewhere is under the lock, so that it never meets a number that stands for something else by now.
final class Descriptor: Sendable {
  let number: Int32
  private let isClosed = Mutex(false)

  init(_ number: Int32) { self.number = number }

  deinit { close() }

  var isOpen: Bool { isClosed.withLock { !$0 } }

  func close() {
    isClosed.withLock { isClosed in
      guard !isClosed else { return }
      isClosed = true
      _ = Glibc.close(number)
    }
  }

  func shutdown() {
    isClosed.withLock { isClosed in
      if !isClosed { _ = Glibc.shutdown(number, Int32(SHUT_RDWR)) }
    }
  }
}
