internal import Glibc

/// An instant of CLOCK_MONOTONIC, a clock that cannot be set. Event loops use it because its size is known at compile
/// time. Each optional of a `ContinuousClock.Instant` costs calls of Swift's runtime.
package struct MonotonicInstant: Comparable, Sendable {
  package let nanoseconds: Int

  package init(nanoseconds: Int) { self.nanoseconds = nanoseconds }

  package static var now: MonotonicInstant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicInstant(nanoseconds: time.tv_sec * 1_000_000_000 + time.tv_nsec)
  }

  package static func < (one: MonotonicInstant, other: MonotonicInstant) -> Bool { one.nanoseconds < other.nanoseconds }

  /// - Parameter nanoseconds: May be negative.
  package func advanced(byNanoseconds nanoseconds: Int) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: self.nanoseconds &+ nanoseconds)
  }

  package func nanoseconds(since other: MonotonicInstant) -> Int { nanoseconds &- other.nanoseconds }

  /// - Parameter duration: Clamped to a century either way.
  package static func + (instant: MonotonicInstant, duration: Duration) -> MonotonicInstant {
    let (seconds, attoseconds) = duration.components
    let century: Int64 = 100 * 366 * 86_400
    let whole = Int(min(max(seconds, -century), century)) * 1_000_000_000
    return instant.advanced(byNanoseconds: whole + Int(attoseconds / 1_000_000_000))
  }

  package static func - (one: MonotonicInstant, other: MonotonicInstant) -> Duration {
    .nanoseconds(one.nanoseconds(since: other))
  }
}
