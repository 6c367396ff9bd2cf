/// Judges whether the mail system is unreachable, and whether it takes mails. After a failure to reach it, all mails
/// wait for a growing pause; then one mail at a time shows whether it is back. A mail system that puts off every mail
/// (asks for a later repeat) also counts as failing, but then each mail only waits for its own pause. The methods take
/// the time and the random number as arguments.
struct MailOutage {
  /// The mail system counts as failing once it has put off mails to this many addresses in a row. Fewer may be due to a
  /// greylist, which puts off the first mail to each address.
  static let putOffInARow = 8

  /// The pause after failures to reach the mail system; nil as long as it answers.
  private var pause: GrowingPause?
  /// A failed try that began at this instant or before proves nothing new; nil before the first failure.
  private var judged: ContinuousClock.Instant?
  /// How many times the mail system was unreachable and then recovered.
  private var recoveries = 0
  /// The recipients whose mails the mail system has put off since it last took or refused a mail; at most
  /// `putOffInARow`.
  private var putOff: Set<EmailKey> = []

  func outlook(at now: ContinuousClock.Instant) -> DeliveryOutlook {
    guard let pause else { return .works(recoveries: recoveries) }
    return .down(pause: pause.until > now ? pause.until - now : nil)
  }

  /// Notes that the mail system could not be reached.
  ///
  /// - Parameter began: When the failed try began.
  /// - Returns: Whether the failure proves something new.
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
  ///
  /// - Parameter recipient: The address whose mail was put off; nil if a mail was taken or refused.
  /// - Returns: Whether the mail system takes mails, as far as is known.
  mutating func answered(puttingOff recipient: EmailKey?) -> Bool {
    if pause.take() != nil { recoveries += 1 }
    guard let recipient else {
      putOff = []
      return true
    }
    if putOff.count < Self.putOffInARow { putOff.insert(recipient) }
    return putOff.count < Self.putOffInARow
  }

  /// Allows the next mail to be tried at once.
  mutating func probeNow(at now: ContinuousClock.Instant) { pause?.until = now }

  /// Forgets everything, because another mail system replaces the previous one.
  mutating func meetOtherSystem(at now: ContinuousClock.Instant) {
    self = MailOutage()
    judged = now
  }
}
