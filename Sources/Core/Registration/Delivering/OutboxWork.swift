internal import Tracing

/// The work of the outbox: asks the upstream for the registrations that were left pending.
struct OutboxWork: DeliveryWork {
  static let width = 4

  let terms: Reloadable<Outbox.Terms>
  let observer: @Sendable (Outbox.Report) -> Void

  private var registrar: Registrar { terms.value.registrar }
  private var breaker: BreakingNetwork? { terms.with { $0.breaker } }

  var settings: DeliverySettings { terms.with { $0.settings } }
  var hasSystem: Bool { terms.with { $0.registrar.network != nil } }
  var longestProbePause: Duration { breaker?.maximumPause ?? settings.maximumPause }
  var time: any TimeSource { registrar.time }

  /// The breaker's outlook. Ignores `now`, because the breaker has its own clock.
  func outlook(at now: ContinuousClock.Instant) -> DeliveryOutlook { breaker?.outlook ?? .works(recoveries: 0) }

  func waiting(
    after: AccountID?, limit: Int
  ) async throws(StoreFailure) -> [WaitingDelivery<AccountID, NetworkFailure>] {
    let registrar = registrar
    let page = try await registrar.store.pending(after: after, limit: limit)
    for pending in page { registrar.reservations.met(pending.stored.account.id) }
    return page.map(WaitingDelivery.init)
  }

  /// Always nil, because registrars report each registration that they leave pending.
  func beforeNew(_ newest: AccountID) -> AccountID? { nil }

  func hasRead(gone: Set<AccountID>) {
    let reservations = registrar.reservations
    for id in gone { reservations.givenUp(id) }
    reservations.sweep()
  }

  func isInFlight(_ id: AccountID) -> Bool { registrar.isInFlight(id) }

  func trace(of id: AccountID) -> Trace { Trace(of: "delivery", account: "\(id)") }

  func deliver(
    _ id: AccountID, known: Delivery?, isForced: Bool, _ now: @Sendable () -> ContinuousClock.Instant
  ) async -> DeliveryResult<AccountID, Account, NetworkFailure> {
    let terms = terms.value
    switch await terms.registrar.deliver(id, over: terms.breaker?.forOutbox, known: known, isForced: isForced) {
    case .activated(let active): return .delivered(active)
    case .taken(let account): return .refused(account)
    case .gone: return .gone
    case .inFlight, .claimedElsewhere: return .occupied
    case .putOffElsewhere(let pending): return .putOffElsewhere(WaitingDelivery(pending))
    case .takenPerhaps(let account): return .failed(account, .failed)
    case .failed(let account, let failure): return .failed(account, failure)
    case .obstructed: return .failedHere
    }
  }

  func note(_ id: AccountID, _ note: @Sendable () -> Delivery?) async -> NotingResult<NetworkFailure> {
    let registrar = registrar
    guard registrar.notes.beginIfFree(id) else { return .notNow }
    defer { registrar.notes.giveUp(id) }
    // An attempt is in flight under this regd's claim, which the note would end. The attempt notes its own outcome.
    guard !registrar.attempts.isInFlight(id) else { return .notNow }
    // The store refuses a note without this regd's mark (`updatedAt`). Any claim of this regd then simply expires.
    guard let mark = registrar.reservations.mark(of: id), let delivery = note() else { return .noted(nil) }
    do throws(StoreFailure) {
      let isNoted = try await registrar.store.putOff(id, seen: mark, delivery)
      if !isNoted { registrar.reservations.lostMark(id) }
      return .noted(isNoted ? delivery : nil)
    } catch {
      return .storeFailed
    }
  }

  func report(_ report: Outbox.Report) { observer(report) }
}

extension WaitingDelivery<AccountID, NetworkFailure> {
  init(_ pending: PendingAccount) {
    self.init(
      id: pending.stored.account.id, turn: DeliveryTurn(share: pending.share), note: pending.delivery,
      isClaimedElsewhere: pending.isClaimedElsewhere)
  }
}
