package import Sentences
internal import Synchronization

/// Sends the mails that wait in the store: at least once each, all tries with one `Message-ID`, until the mail system has taken or refused
/// it. What waits is as durable as the store, and any regd that has the store open sends it; a mail system that is away delays mails and
/// loses none.
package final class MailQueue: Sendable {
  /// What the configuration decides of mails.
  package struct Terms: Sendable {
    /// Nil if there is no mail system: what waits goes on waiting.
    package var service: (any MailService)?
    /// `mail.from`.
    package var from: String
    /// How long a code lives.
    package var codeLife: Duration
    package var settings: DeliverySettings

    package init(
      service: (any MailService)?, from: String, codeLife: Duration = .seconds(900),
      settings: DeliverySettings = DeliverySettings()
    ) {
      self.service = service
      self.from = from
      self.codeLife = codeLife
      self.settings = settings
    }
  }

  /// What has happened, for observers.
  package enum Report: Equatable, Sendable {
    /// The mail system has it.
    case sent(MailIntent, attempts: Int)
    /// The mail system will never take it: its words.
    case refused(MailIntent, String)
    /// A try has failed, the `attempts`-th, and it is repeated.
    case delayed(MailIntent, attempts: Int, MailTrouble, next: Duration)
    /// Its claim is over, and it is not sent.
    case outdated(MailIntent)
    /// What a try shows of the mail system; nil that it answers, and takes mails as far as is known. Told with every try.
    case system(MailFailure?)
    /// A try has failed.
    case failed(MailFailure)
  }

  /// What waits, as `list` gives it.
  package struct Waiting: Equatable, Sendable {
    package let mail: MailIntent
    /// Tries without success, of every regd.
    package let attempts: Int
    /// What was wrong the last time, in words for administrators.
    package let reason: String?
    /// When it is tried again; now where it is being sent or has not been tried.
    package let next: Timestamp
  }

  /// Mails since the start.
  package struct Counts: Equatable, Sendable {
    package var sent = 0
    package var refused = 0
    package var outdated = 0

    package init() {}
  }

  /// Tells the time. Every operation takes it as an argument and reads no other clock.
  package typealias Clock = @Sendable () -> ContinuousClock.Instant

  /// Mails at once.
  static let width = MailWork.width
  let store: any AccountStore
  let time: any TimeSource
  let terms: Live<Terms>
  let deliverer: Deliverer<MailWork>

  /// - Parameters:
  ///   - languages: In which mails are written.
  ///   - lines: Breaks their texts into lines.
  ///   - rest: Waits so long, or until the task is cancelled.
  ///   - observer: Receives what happened; must not block.
  package init(
    _ store: any AccountStore, _ codes: ClaimCodes, time: any TimeSource, _ terms: Terms,
    languages: LiveLanguages = LiveLanguages(.english), lines: any LineBreaker,
    rest: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) },
    observer: @escaping @Sendable (Report) -> Void = { _ in }
  ) {
    let live = Live(terms)
    self.store = store
    self.time = time
    self.terms = live
    deliverer = Deliverer(
      MailWork(
        store: store, codes: codes, time: time, terms: live, languages: languages, lines: lines, observer: observer,
        rest: rest),
      inbox: DeliveryInbox())
  }

  /// Goes on by other terms: what waits stays as it is; its pauses end if another mail system is to be asked. Mails that are being sent
  /// end by the terms that they began with.
  package func adopt(_ terms: Terms, isOtherSystem: Bool, at now: ContinuousClock.Instant = .now) {
    self.terms.replace(terms)
    if isOtherSystem { deliverer.work.state.withOutage { $0.meetOtherSystem(at: now) } }
    deliverer.adopt(isOtherSystem: isOtherSystem, at: now)
  }

  /// How many wait, as far as is known.
  package var waiting: Int { deliverer.waiting }
  package var counts: Counts { deliverer.work.state.counts }

  /// Sends until the task is cancelled; what is being sent then is put off.
  package func run() async { await deliverer.run() }

  /// Reads what waits, and sends nothing.
  package func look() async throws(StoreFailure) { try await deliverer.read { .now } }

  /// Sends what is due, once.
  ///
  /// - Returns: How long nothing will be due.
  package func round(_ now: @escaping Clock = { .now }) async -> Duration { await deliverer.round(now) }

  /// There may be new mails in the store: they are read, and sent in their turn. Must not be called before they are there.
  package func wake() { deliverer.inbox.wantGlance() }
}

// MARK: - For administrators

extension MailQueue {
  package enum Answer: Equatable, Sendable {
    case done
    /// There is no mail with this id that waits.
    case notFound
    /// There is no mail system that anything could be sent by.
    case noSystem
    /// The request was cancelled before anything was done.
    case cancelled
    case store(StoreFailure)
  }

  /// What waits, in the order of its making.
  package func list(
    after: MailID?, limit: Int, _ now: Clock = { .now }
  ) async throws(StoreFailure) -> Page<Waiting> {
    var found: [StoredMail] = []
    var (last, isMore) = (after, true)
    // what is handed to no mail system is nobody's business
    while found.count <= limit, isMore {
      let page = try await store.mails(after: last, limit: limit + 1)
      found += page.filter(\.intent.isWanted)
      (last, isMore) = (page.last?.intent.id, page.count > limit)
    }
    let (now, time) = (now(), time.now())
    let held = deliverer.work.outlook(at: now).pause
    let waiting = found.prefix(limit).map { mail in
      let entry = deliverer.entry(WaitingDelivery(mail), at: now, time)
      let next = mail.isClaimedElsewhere ? now : max(entry.next, now + held)
      return Waiting(
        mail: mail.intent, attempts: entry.attempts, reason: entry.failure?.description,
        next: next > now ? deliverer.time(of: next) : time)
    }
    return Page(elements: waiting, hasMore: found.count > limit)
  }

  /// Has one sent now, or all; also if the mail system is known to be away.
  package func retry(_ id: MailID?, _ now: Clock = { .now }) async -> Answer {
    do throws(StoreFailure) {
      if let id, try await store.find(mail: id)?.state != .waiting { return .notFound }
    } catch {
      return .store(error)
    }
    guard deliverer.work.hasSystem else { return .noSystem }
    tryNow(id, at: now())
    return .done
  }

  /// Has one that waits sent now, or all, and ends the pause of a mail system that was away.
  package func tryNow(_ id: MailID? = nil, at now: ContinuousClock.Instant = .now) {
    deliverer.retry(id, at: now)
    deliverer.work.state.withOutage { $0.probeNow(at: now) }
    deliverer.inbox.wake()
  }

  /// Gives one up. One that is being handed over at that moment may arrive all the same.
  ///
  /// - Parameter mayCommit: Asked once, before the store is changed; with false nothing is done.
  package func discard(_ id: MailID, mayCommit: @Sendable () -> Bool) async -> Answer {
    do throws(StoreFailure) {
      guard let mail = try await store.find(mail: id), mail.state == .waiting else { return .notFound }
      guard mayCommit() else { return .cancelled }
      guard try await store.end(mail: id, .refused, reason: Self.discarded) else { return .notFound }
      deliverer.work.hasEnded(mail.intent, .init(state: .refused, reason: Self.discarded))
    } catch {
      return .store(error)
    }
    deliverer.forget(id)
    return .done
  }

  private static let discarded = "an administrator has discarded it"

  /// A subscriber has sent one that was told to it as wanted, and waits for by nothing here any more: the time for its answer is over, or
  /// another regd has asked. Idempotent.
  package func wasSent(_ id: MailID) async -> Answer {
    do throws(StoreFailure) {
      guard let mail = try await store.find(mail: id) else { return .notFound }
      switch mail.state {
      case .waiting:
        guard try await store.end(mail: id, .sent, reason: nil) else { break }
        deliverer.work.report(.delivered(mail.intent, attempts: mail.attempts + 1))
      case .sent: break
      case .refused, .suppressed, .outdated: return .notFound
      }
    } catch {
      return .store(error)
    }
    deliverer.forget(id)
    return .done
  }
}
