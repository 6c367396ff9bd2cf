public import Synchronization

/// A value that a reload of the configuration replaces as a whole. An operation that reads it once, at its beginning,
/// works with the same value to its end.
///
/// Reading takes a lock for a few instructions and retains one reference. It does not copy the parts of the value.
/// `with` is inlined into other modules, because otherwise the hot path would look up the type's metadata at each read.
@usableFromInline package final class Reloadable<Value: Sendable>: Sendable {
  @usableFromInline
  package final class Box: Sendable {
    @usableFromInline
    package let value: Value
    init(_ value: Value) { self.value = value }
  }

  @usableFromInline
  package let box: Mutex<Box>

  package init(_ value: Value) { box = Mutex(Box(value)) }

  /// The value in force.
  package var value: Value { box.withLock { $0 }.value }

  /// Calls `body` with the value in force, outside the lock, so that a replacement does not wait for `body`.
  @inlinable @inline(__always)
  package func with<Result, Failure: Error>(
    _ body: (borrowing Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let box = box.withLock { $0 }
    return try body(box.value)
  }

  package func replace(_ value: Value) {
    let new = Box(value)
    // the old value is released outside the lock
    let old = box.withLock { box in
      defer { box = new }
      return box
    }
    withExtendedLifetime(old) {}
  }
}
