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
