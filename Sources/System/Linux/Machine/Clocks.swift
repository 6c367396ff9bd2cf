internal import CLinux
internal import Glibc

/// The time of day. An operator may set it at any moment, even back.
package enum WallClock {
  /// Microseconds since 1970-01-01T00:00:00Z.
  package static var microseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }

  /// Whether a time server disciplines the kernel's clock (adjtimex(2)), or nil if the kernel does not report it.
  package static var isSynchronized: Bool? {
    let state = linux_clock_state()
    return state < 0 ? nil : state == 1
  }

  /// Local time with its offset from UTC, such as 2026-11-22T05:19:25+0100, or nil if it cannot be computed.
  package static var localText: String? { text("%Y-%m-%dT%H:%M:%S%z") }

  /// Local time of day, such as 05:19:25, or nil if it cannot be computed.
  package static var localTimeOfDay: String? { text("%H:%M:%S") }

  /// - Parameter format: In the form of strftime(3).
  private static func text(_ format: String) -> String? {
    var now = time(nil)
    var parts = tm()
    guard localtime_r(&now, &parts) != nil else { return nil }
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, format, &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// The time since the machine's start, without the time in suspend. This clock cannot be set (CLOCK_MONOTONIC,
/// clock_gettime(2)).
package enum MonotonicClock {
  package static var microseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}

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

/// Time limits in the units of system calls.
extension Duration {
  /// The limit in nanoseconds: 0 if negative, and at most 11 days, because a caller that needs longer waits again.
  var nanoseconds: Int {
    guard self > .zero else { return 0 }
    let (seconds, attoseconds) = components
    return Int(min(seconds, 1_000_000)) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
  }

  /// The same limit in milliseconds, rounded up, so that the wait does not end too early.
  var roundedMilliseconds: Int32 { Int32((nanoseconds + 999_999) / 1_000_000) }
}
