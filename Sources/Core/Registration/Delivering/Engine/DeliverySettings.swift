/// The pauses between tries of a delivery.
package struct DeliverySettings: Equatable, Sendable {
  /// The pause after the first failure. Each further failure doubles it.
  package var firstPause: Duration
  package var maximumPause: Duration
  /// How often the store is read for deliveries that other regd processes have left there.
  package var readingPause: Duration

  /// - Parameter readingPause: How often the store is read, or nil for once every `maximumPause`.
  package init(
    firstPause: Duration = .seconds(1), maximumPause: Duration = .seconds(300), readingPause: Duration? = nil
  ) {
    self.firstPause = firstPause
    self.maximumPause = maximumPause
    self.readingPause = readingPause ?? maximumPause
  }

  /// The pause after this many failures.
  ///
  /// - Parameter dice: 0 to 1, which shortens the pause by up to a half.
  func pause(_ failures: Int, dice: Double) -> Duration {
    let doubled = firstPause * (1 << max(0, min(failures - 1, 30)))
    return min(doubled, maximumPause) * (1 - dice / 2)
  }
}

/// A pause that grows each time it is extended. A value type: callers pass the time and random numbers (`dice`).
struct GrowingPause {
  /// The end of the pause.
  var until: ContinuousClock.Instant
  private var times = 0

  init(until: ContinuousClock.Instant) { self.until = until }

  mutating func extend(
    _ settings: DeliverySettings, atMost longest: Duration, at now: ContinuousClock.Instant, dice: Double
  ) {
    times += 1
    until = max(until, now + min(settings.pause(times, dice: dice), longest))
  }
}
