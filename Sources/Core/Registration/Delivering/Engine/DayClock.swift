/// Converts between instants of the monotonic clock and times of day. An instant gives the same time at every
/// conversion. Only a step of the wall clock, forward or back, shifts all times.
struct DayClock: Sendable {
  /// The most by which the wall clock may differ from the converted time. A greater difference counts as a step.
  private static var tolerance: Duration { .seconds(1) }

  private var instant = ContinuousClock.now
  private var time = Timestamp(microseconds: 0)

  /// Follows a step of the wall clock, if there was one. `time` is the wall clock's reading at `now`.
  mutating func look(_ now: ContinuousClock.Instant, _ time: Timestamp) {
    let difference = Duration.microseconds(time.microseconds - self.time(of: now).microseconds)
    guard difference > Self.tolerance || difference < .zero - Self.tolerance else { return }
    (instant, self.time) = (now, time)
  }

  func time(of instant: ContinuousClock.Instant) -> Timestamp { time.advanced(by: instant - self.instant) }

  func instant(at time: Timestamp) -> ContinuousClock.Instant {
    instant + .microseconds(time.microseconds - self.time.microseconds)
  }
}
