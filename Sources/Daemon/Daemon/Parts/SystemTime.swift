internal import Linux
internal import Registration

/// The machine's clock.
struct SystemTime: TimeSource {
  func now() -> Timestamp { Timestamp(microseconds: WallClock.microseconds) }
}
