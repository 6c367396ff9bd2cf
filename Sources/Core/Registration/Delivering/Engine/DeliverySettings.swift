/// When deliveries are repeated.
package struct DeliverySettings: Equatable, Sendable {
  /// The pause behind the first failure; each further one doubles it.
  package var firstPause: Duration
  package var maximumPause: Duration
  /// How often the store is read for what other regd have left there.
  package var readingPause: Duration

  /// - Parameter readingPause: Nil for `maximumPause`.
  package init(
    firstPause: Duration = .seconds(1), maximumPause: Duration = .seconds(300), readingPause: Duration? = nil
  ) {
    self.firstPause = firstPause
    self.maximumPause = maximumPause
    self.readingPause = readingPause ?? maximumPause
  }

  /// The pause behind so many failures.
  ///
  /// - Parameter dice: 0 to 1; takes up to half of the pause away.
  func pause(_ failures: Int, dice: Double) -> Duration {
    let doubled = firstPause * (1 << max(0, min(failures - 1, 30)))
    return min(doubled, maximumPause) * (1 - dice / 2)
  }
}

/// A pause that grows each time. A value: its clock and its dice are arguments.
struct GrowingPause {
  /// Its end.
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
