internal import Localization
internal import Tracing

/// Delivers waiting mails to the mail system, for the mail queue.
struct MailWork: DeliveryWork {
  static let width = 4

  let store: Accounts
  let codes: ClaimCodes
  let time: any TimeSource
  let terms: Reloadable<MailQueue.Terms>
  let languages: ReloadableLanguages
  let lines: any LineBreaker
  let observer: @Sendable (MailQueue.Report) -> Void
  /// Waits this long, or until the task is cancelled.
  let rest: @Sendable (Duration) async -> Void
  let state = MailState()

  var settings: DeliverySettings { terms.with { $0.settings } }
  var hasSystem: Bool { terms.with { $0.service != nil } }
  var longestProbePause: Duration { settings.maximumPause }

  func outlook(at now: ContinuousClock.Instant) -> DeliveryOutlook { state.withOutage { $0.outlook(at: now) } }

  func waiting(after: MailID?, limit: Int) async throws(StoreFailure) -> [WaitingDelivery<MailID, MailTrouble>] {
    try await store.mails(after: after, limit: limit).map(WaitingDelivery.init)
  }

  /// An id five seconds older than `newest` or the present time, whichever is earlier: a mail may reach the store some
  /// seconds after it got its id, and another machine's clock may be ahead.
  func beforeNew(_ newest: MailID) -> MailID? {
    MailID(before: min(newest.time, time.now()).advanced(by: .seconds(-5)))
  }

  func hasRead(gone: Set<MailID>) {
    for id in gone { state.forget(id) }
  }

  func isInFlight(_ id: MailID) -> Bool { state.isInFlight(id) }

  func trace(of id: MailID) -> Trace { Trace(of: "mail") }

  /// Names the recipient, so that mails to one address are sent one at a time. Otherwise the times of mails to other
  /// addresses would reveal whether mails to this address wait, and how many.
  static func turn(of mail: MailIntent) -> DeliveryTurn {
    DeliveryTurn(
      share: mail.share, lane: mail.kind.isCode ? mail.isKnown ? .known : .awaited : .told, recipient: mail.to.key)
  }

  func note(
    _ id: MailID, _ note: @Sendable () -> DeliveryNote<MailTrouble>?
  ) async -> NotingResult<MailTrouble> {
    // a try is in flight under this regd's lease, which the note would end
    guard !state.isInFlight(id) else { return .notNow }
    guard let mail = state.tried(id), let note = note() else { return .noted(nil) }
    do throws(StoreFailure) {
      let isNoted = try await store.putOff(
        mail: StoredMail(mail, attempts: note.attempts, reason: note.failure?.description, next: note.next))
      state.noted(id)
      return .noted(isNoted ? note : nil)
    } catch {
      return .storeFailed
    }
  }

  func report(_ report: DeliveryReport<MailIntent, MailTrouble>) {
    switch report {
    case .delivered(let mail, let attempts):
      state.count(\.sent)
      observer(.sent(mail, attempts: attempts))
    // `hasEnded` reports a refused mail, with its reason
    case .refused: break
    case .delayed(let mail, let attempts, let trouble, let next):
      observer(.delayed(mail, attempts: attempts, trouble, next: next))
    }
  }
}

extension WaitingDelivery<MailID, MailTrouble> {
  init(_ mail: StoredMail) {
    self.init(
      id: mail.intent.id, turn: MailWork.turn(of: mail.intent), note: DeliveryNote(mail),
      isClaimedElsewhere: mail.isClaimedElsewhere)
  }
}

extension DeliveryNote<MailTrouble> {
  /// The store's note about the mail's tries, or nil if the store has no note yet.
  fileprivate init?(_ mail: StoredMail) {
    guard let next = mail.next else { return nil }
    self.init(attempts: mail.attempts, failure: mail.reason.map(MailTrouble.init(noted:)), next: next)
  }
}

/// Why a mail was not accepted, as the store keeps it and administrators read it.
package struct MailTrouble: DeliveryFailure, CustomStringConvertible {
  /// The most characters of the mail system's words that are kept.
  private static let maximumLength = 300

  package let description: String

  package init(_ failure: MailFailure) { self.init(noted: failure.description) }

  /// - Parameter words: The mail system's words, which are put into one line without invisible marks, and cut at
  ///   `maximumLength`.
  init(noted words: String) {
    let line = words.unicodeScalars.map { Self.isShown($0) ? Character($0) : " " }
    description = line.count > Self.maximumLength ? "\(String(line.prefix(Self.maximumLength)))…" : String(line)
  }

  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }

  /// After a mail that may be on its way, a long pause, so that its recipient does not get many copies.
  package var retryAfterSeconds: Int? { description == MailFailure.lost.description ? 300 : nil }
  /// `DeliveryPlan` need not judge failures, because `MailOutage` judges whether the mail system is unreachable.
  package var bearing: FailureBearing { .none }
}

extension MailFailure {
  /// The failure's name without the mail system's words, for metrics.
  package var name: String {
    switch self {
    case .offline: "offline"
    case .deferred: "deferred"
    case .lost: "lost"
    case .timeout: "timeout"
    case .untrusted: "untrusted"
    case .unusable: "unusable"
    case .refused: "refused"
    case .cancelled: "cancelled"
    }
  }
}
