/// Whether the mail system is away. A failure that concerns the whole system pauses all mails, longer each time; after the pause
/// one mail at a time probes whether it is back. A value; its clock and its dice are arguments.
struct MailOutage {
  /// Nil while the mail system answers.
  private var pause: GrowingPause?
  /// When a failure was last judged.
  private var judged: ContinuousClock.Instant?
  /// How many times the mail system was away and came back.
  private var recoveries = 0

  func outlook(at now: ContinuousClock.Instant) -> DeliveryOutlook {
    guard let pause else { return .works(recoveries: recoveries) }
    return .down(pause: pause.until > now ? pause.until - now : nil)
  }

  /// Notes that the mail system could not be reached.
  ///
  /// - Parameter began: When the failed try began. A try that began before the last judgement says nothing new.
  /// - Returns: Whether the failure says something new.
  @discardableResult
  mutating func failed(
    began: ContinuousClock.Instant, _ settings: DeliverySettings, at now: ContinuousClock.Instant, dice: Double
  ) -> Bool {
    if let judged, began <= judged { return false }
    var pause = pause ?? GrowingPause(until: now)
    pause.extend(settings, atMost: settings.maximumPause, at: now, dice: dice)
    self.pause = pause
    judged = now
    return true
  }

  /// Notes that the mail system has answered, whatever the answer.
  mutating func answered() {
    if pause.take() != nil { recoveries += 1 }
  }

  /// Allows the next mail to be tried at once.
  mutating func probeNow(at now: ContinuousClock.Instant) { pause?.until = now }

  /// Starts again for another mail system in place of the previous one.
  mutating func meetOtherSystem(at now: ContinuousClock.Instant) {
    self = MailOutage()
    judged = now
  }
}
