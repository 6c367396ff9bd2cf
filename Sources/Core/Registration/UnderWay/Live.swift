internal import Synchronization

/// A value that a reload of the configuration replaces as a whole. Who reads it once at the beginning of an operation, and
/// keeps what it has read, ends by what it has begun with.
///
/// Reading costs a lock that is held for a few instructions, and one reference: what the value is made of is not copied.
package final class Live<Value: Sendable>: Sendable {
  private final class Box: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  private let box: Mutex<Box>

  package init(_ value: Value) { box = Mutex(Box(value)) }

  /// What is in force now.
  package var value: Value { box.withLock { $0 }.value }

  /// Calls `body` with what is in force now, outside of the lock: a replacement does not wait for it.
  @inline(__always)
  package func with<Result, Failure: Error>(
    _ body: (borrowing Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let box = box.withLock { $0 }
    return try body(box.value)
  }

  package func replace(_ value: Value) {
    let new = Box(value)
    // what is let go of ends behind the lock
    let old = box.withLock { box in
      defer { box = new }
      return box
    }
    withExtendedLifetime(old) {}
  }
}
