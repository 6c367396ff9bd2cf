/// Whether the mail system is away: what speaks of it holds up all mails for a pause that grows, and then one mail at a time shows
/// whether it is back. A value; its clock and its dice are arguments.
struct MailOutage {
  /// Nil as long as the mail system answers.
  private var pause: GrowingPause?
  /// When its answers were judged last.
  private var judged: ContinuousClock.Instant?
  /// How often the mail system was away and came back.
  private var recoveries = 0

  func outlook(at now: ContinuousClock.Instant) -> DeliveryOutlook {
    guard let pause else { return .works(recoveries: recoveries) }
    return .down(pause: pause.until > now ? pause.until - now : nil)
  }

  /// The mail system could not be reached.
  ///
  /// - Parameter began: When that try began. One that did not begin behind the last judgment says nothing new.
  /// - Returns: Whether it says something new.
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

  /// The mail system has answered, whatever it said.
  mutating func answered() {
    if pause.take() != nil { recoveries += 1 }
  }

  /// The next mail may be tried at once.
  mutating func probeNow(at now: ContinuousClock.Instant) { pause?.until = now }

  /// Another mail system takes the place of the one that was.
  mutating func meetOtherSystem(at now: ContinuousClock.Instant) {
    self = MailOutage()
    judged = now
  }
}
