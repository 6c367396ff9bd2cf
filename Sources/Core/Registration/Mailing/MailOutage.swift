/// Judges whether the mail system is unreachable, and whether it takes mails. After a failure to reach it or to use it,
/// all mails wait for a growing pause. Then one mail at a time tests whether the system works again. A mail system that
/// puts off every mail (asks for a later repeat), never confirms one, or refuses every mail, also counts as failing. In
/// that case, mails are sent to it as before: a mail that was put off waits for its own pause, and a refused mail is
/// not sent again. The methods take the time and the random number as arguments.
struct MailOutage {
  /// The mail system counts as failing once it has put off or not confirmed, or has refused, mails to this many addresses in
  /// a row. Fewer may be due to a greylist, which puts off the first mail to each address, or to the addresses.
  static let inARow = 8

  /// The pause after failures to reach the mail system, or nil as long as it answers.
  private var pause: GrowingPause?
  /// A failed try that began at this instant or before proves nothing new. Nil before the first failure.
  private var judged: ContinuousClock.Instant?
  /// How many times the mail system was unreachable and then recovered.
  private var recoveries = 0
  /// The recipients whose mails the mail system has put off or not confirmed since it last took a mail, at most `inARow`.
  private var putOff: Set<EmailKey> = []
  /// The recipients whose mails the mail system has refused since then, for reasons other than the recipient, at most
  /// `inARow`.
  private var refused: Set<EmailKey> = []
  /// Whether the mail system has refused regd's user and password since then.
  private var refusesUser = false

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

  /// What an answer shows of the mail system.
  enum Verdict: Equatable {
    /// The mail system takes mails, as far as is known.
    case works
    /// The mail system takes none.
    case fails
    /// The answer is about the recipient, or there was no answer, and this shows nothing new.
    case same
  }

  /// Notes that the mail system has answered, whatever the answer, or has not confirmed a mail that it may have taken.
  ///
  /// - Parameter failure: Why the mail was put off or refused, or nil if it was taken.
  mutating func answered(_ failure: MailFailure?, to recipient: EmailKey) -> Verdict {
    // does not end an outage, because the mail system may never confirm a mail
    if failure == .lost {
      Self.add(recipient, to: &putOff)
      return putOff.count < Self.inARow ? .same : .fails
    }
    let wasAway = pause.take() != nil
    if wasAway { recoveries += 1 }
    switch failure {
    case nil: (putOff, refused, refusesUser) = ([], [], false)
    case .refused(let words)?:
      if MailFailure.isAboutRecipient(words) {
        // a system that was unreachable and now answers works again, whatever its answer about the recipient
        guard wasAway else { return .same }
      } else {
        Self.add(recipient, to: &refused)
        if MailFailure.isAboutUser(words) { refusesUser = true }
      }
    case .deferred?, .offline?, .lost?, .timeout?, .untrusted?, .unusable?, .cancelled?:
      Self.add(recipient, to: &putOff)
    }
    return refusesUser || max(putOff.count, refused.count) >= Self.inARow ? .fails : .works
  }

  /// Notes that a mail which counted as not confirmed was sent, as a subscriber reports late.
  ///
  /// - Returns: `works` if the mail system counted as failing because such reports were missing, and no longer does.
  mutating func confirmed(to recipient: EmailKey) -> Verdict {
    let failed = putOff.count >= Self.inARow
    guard putOff.remove(recipient) != nil, failed, pause == nil, !refusesUser, refused.count < Self.inARow else {
      return .same
    }
    return .works
  }

  private static func add(_ recipient: EmailKey, to recipients: inout Set<EmailKey>) {
    if recipients.count < inARow { recipients.insert(recipient) }
  }

  /// Allows the next mail to be tried at once.
  mutating func probeNow(at now: ContinuousClock.Instant) { pause?.until = now }

  /// Forgets everything, because another mail system replaces the previous one.
  mutating func meetOtherSystem(at now: ContinuousClock.Instant) {
    self = MailOutage()
    judged = now
  }
}
