internal import Linux
package import Registration

/// The machine's wall clock.
package struct SystemTime: TimeSource {
  package init() {}

  package func now() -> Timestamp { Timestamp(microseconds: WallClock.microseconds) }
}
