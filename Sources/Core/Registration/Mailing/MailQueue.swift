package import Localization
internal import Synchronization

/// Sends the mails that wait in the store. It tries each mail, always with the same `Message-ID`, until the mail system
/// has accepted or refused the mail: delivery at least once. Waiting mails are as durable as the store, and any regd
/// that has the store open sends them, so an unreachable mail system delays mails, but loses none.
package final class MailQueue: Sendable {
  /// The settings for mails in the configuration.
  package struct Terms: Sendable {
    /// The mail system. If it is nil, mails keep waiting.
    package var service: (any MailService)?
    /// The value of the key `mail.from`.
    package var from: String
    /// The value of the key `mail.fromName`, or "" for none.
    package var fromName: String
    /// The site that mails name.
    package var site: MailTexts.Site
    /// How long a code is valid.
    package var codeLife: Duration
    /// A claim ends after this many wrong codes.
    package var codeAttempts: Int
    package var settings: DeliverySettings

    package init(
      service: (any MailService)?, from: String, fromName: String = "", site: MailTexts.Site = MailTexts.Site(),
      codeLife: Duration = .seconds(900), codeAttempts: Int = 5, settings: DeliverySettings = DeliverySettings()
    ) {
      self.service = service
      self.from = from
      self.fromName = fromName
      self.site = site
      self.codeLife = codeLife
      self.codeAttempts = codeAttempts
      self.settings = settings
    }
  }

  /// An event for observers.
  package enum Report: Equatable, Sendable {
    /// The mail system has accepted the mail.
    case sent(MailIntent, attempts: Int)
    /// The mail system refuses the mail for good, or an administrator has discarded the mail. The text gives the
    /// reason.
    case refused(MailIntent, String)
    /// The try with the number `attempts` has failed. The mail will be tried again.
    case delayed(MailIntent, attempts: Int, MailTrouble, next: Duration)
    /// The mail was not sent, because its claim or invitation has ended.
    case outdated(MailIntent)
    /// How the mail system fails, or nil if it answers and, as far as is known, accepts mails. Reported after each
    /// answered try, and after each failure that proves something new.
    case system(MailFailure?)
    /// A try has failed.
    case failed(MailFailure)
  }

  /// A waiting mail, as `list` returns it.
  package struct Waiting: Equatable, Sendable {
    package let mail: MailIntent
    /// The number of failed tries, by all regd processes of this store.
    package let attempts: Int
    /// Why the last try failed, in words for administrators.
    package let reason: String?
    /// When the mail is tried next, or now if it is being sent or has not been tried.
    package let next: Timestamp
  }

  /// How many mails have ended in which way since this process started.
  package struct Counts: Equatable, Sendable {
    package var sent = 0
    package var refused = 0
    package var outdated = 0

    package init() {}
  }

  /// Returns the present instant. Operations take such a function as an argument and read no other monotonic clock.
  package typealias Clock = @Sendable () -> ContinuousClock.Instant

  /// The number of mails in flight at once.
  static let width = MailWork.width
  let store: Accounts
  let time: any TimeSource
  let terms: Reloadable<Terms>
  let deliverer: Deliverer<MailWork>

  /// - Parameters:
  ///   - languages: The languages in which mails are written.
  ///   - lines: Breaks the texts of mails into lines.
  ///   - rest: Waits this long, or until the task is cancelled.
  ///   - observer: Receives the events, and must not block.
  ///   - readings: Receives the failure of each reading of the store, or nil if the reading succeeded. Must not block.
  package init(
    _ store: Accounts, _ codes: ClaimCodes, time: any TimeSource, _ terms: Terms,
    languages: ReloadableLanguages = ReloadableLanguages(.english), lines: any LineBreaker,
    rest: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) },
    observer: @escaping @Sendable (Report) -> Void = { _ in },
    readings: @escaping @Sendable (StoreFailure?) -> Void = { _ in }
  ) {
    let live = Reloadable(terms)
    self.store = store
    self.time = time
    self.terms = live
    deliverer = Deliverer(
      MailWork(
        store: store, codes: codes, time: time, terms: live, languages: languages, lines: lines, observer: observer,
        rest: rest),
      inbox: DeliveryInbox(), readings: readings)
  }

  /// Continues under other terms. If another mail system is to be used, the pauses of waiting mails end. Mails in
  /// flight end under the terms with which they began.
  package func adopt(_ terms: Terms, isOtherSystem: Bool, at now: ContinuousClock.Instant = .now) {
    self.terms.replace(terms)
    if isOtherSystem { deliverer.work.state.withOutage { $0.meetOtherSystem(at: now) } }
    deliverer.adopt(isOtherSystem: isOtherSystem, at: now)
  }

  /// How many mails wait, as far as this process knows.
  package var waiting: Int { deliverer.waiting }
  package var counts: Counts { deliverer.work.state.counts }

  /// Sends mails until the task is cancelled. The mails in flight at that moment wait again, as if they had not been tried.
  package func run() async { await deliverer.run() }

  /// Reads the waiting mails, and sends none.
  package func look() async throws(StoreFailure) { try await deliverer.read { .now } }

  /// Sends every mail that is due, once.
  ///
  /// - Returns: The time until the next round is due, if nothing wakes the queue before.
  package func round(_ now: @escaping Clock = { .now }) async -> Duration { await deliverer.round(now) }

  /// Makes the queue read and send new mails in their turn. Call it only after the mails are in the store.
  package func wake() { deliverer.inbox.wantGlance() }
}

// MARK: - For administrators

extension MailQueue {
  package enum Answer: Equatable, Sendable {
    case done
    /// No waiting mail has this id.
    case notFound
    case obstructed(Obstacle)
  }

  /// The waiting mails, in the order in which they were made.
  package func list(
    after: MailID?, limit: Int, _ now: Clock = { .now }
  ) async throws(StoreFailure) -> Page<MailID, Waiting> {
    // unwanted mails, which regd hands to no mail system, are left out
    let found: Page<MailID, StoredMail> = try await .searched(
      after: after, limit: limit, at: \.intent.id, where: \.intent.isWanted
    ) { (after, limit) async throws(StoreFailure) in
      try await store.mails(after: after, limit: limit)
    }
    let (now, time) = (now(), time.now())
    let held = deliverer.work.outlook(at: now).pause
    let waiting = found.elements.map { mail in
      let entry = deliverer.entry(WaitingDelivery(mail), at: now, time)
      let next = mail.isClaimedElsewhere ? now : max(entry.next, now + held)
      return Waiting(
        mail: mail.intent, attempts: entry.attempts, reason: entry.failure?.description,
        next: next > now ? deliverer.time(of: next) : time)
    }
    return Page(elements: waiting, hasMore: found.hasMore, end: found.end)
  }

  /// Makes the queue send one mail now (all mails if `id` is nil), even if the mail system is known to be unreachable.
  package func retry(_ id: MailID?, _ now: Clock = { .now }) async -> Answer {
    do throws(StoreFailure) {
      if let id, try await store.find(mail: id)?.state != .waiting { return .notFound }
    } catch {
      return .obstructed(.store(error))
    }
    guard deliverer.work.hasSystem else { return .obstructed(.off(.mail)) }
    tryNow(id, at: now())
    return .done
  }

  /// Makes one waiting mail due now (all if `id` is nil), and ends the pause after an outage of the mail system.
  package func tryNow(_ id: MailID? = nil, at now: ContinuousClock.Instant = .now) {
    deliverer.retry(id, at: now)
    deliverer.work.state.withOutage { $0.probeNow(at: now) }
    deliverer.inbox.wake()
  }

  /// Gives up one mail. If the mail is being handed to the mail system at that moment, it may still arrive.
  ///
  /// - Parameter mayCommit: Called once before the store is changed. If it returns false, nothing is done.
  package func discard(_ id: MailID, mayCommit: @Sendable () -> Bool) async -> Answer {
    do throws(StoreFailure) {
      guard let mail = try await store.find(mail: id), mail.state == .waiting else { return .notFound }
      guard mayCommit() else { return .obstructed(.cancelled) }
      guard try await store.end(mail: id, .refused, reason: Self.discarded) else { return .notFound }
      deliverer.work.hasEnded(mail.intent, .init(state: .refused, reason: Self.discarded))
    } catch {
      return .obstructed(.store(error))
    }
    deliverer.forget(id)
    return .done
  }

  private static let discarded = "an administrator has discarded it"

  /// Notes that a subscriber has sent a mail for which no `ask` of this process waits, because the time limit for the
  /// answer has passed, or because another regd asked. Idempotent.
  package func wasSent(_ id: MailID) async -> Answer {
    do throws(StoreFailure) {
      guard let mail = try await store.find(mail: id) else { return .notFound }
      switch mail.state {
      case .waiting:
        guard try await store.end(mail: id, .sent, reason: nil) else { break }
        deliverer.work.report(.delivered(mail.intent, attempts: mail.attempts + 1))
        deliverer.work.confirmed(mail.intent)
      case .sent: break
      case .refused, .suppressed, .outdated: return .notFound
      }
    } catch {
      return .obstructed(.store(error))
    }
    deliverer.forget(id)
    return .done
  }
}
