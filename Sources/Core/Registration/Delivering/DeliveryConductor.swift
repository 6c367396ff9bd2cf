/// What came of asking the upstream once more for an account that is pending.
package enum DeliveryOutcome: Equatable, Sendable {
  /// The upstream has it, and so has the store.
  case activated(Account)
  /// The upstream has another account with this address: the reservation is gone.
  case taken(Account)
  /// The upstream says so, and is not believed yet: the account stays pending.
  case takenPerhaps(Account)
  /// The account stays pending.
  case failed(Account, NetworkFailure)
  /// The account is not pending any more.
  case gone
  /// Another regd has a claim of it, or has just taken it over: it may be asking the upstream. Nothing was asked here.
  case claimedElsewhere
  /// Another regd has asked in vain since this one looked last, and has put it off. Nothing was asked here.
  case putOffElsewhere(PendingAccount)
  /// Its registration is under way in this process.
  case underWay
  case store(StoreFailure)
  case fault(InternalFault)
}

/// Takes every decision of one delivery, and does nothing itself: an event in, the next action out.
///
/// The reservation is claimed and marked, so that no other regd asks for it or releases it; the upstream is asked, with the id that it was asked with
/// before; and the account is activated. Nothing but the upstream's own word takes a reservation away.
struct DeliveryConductor {
  enum Event: Equatable, Sendable, StoreEvents, UpstreamEvents {
    case marked(ResumeAnswer)
    /// Whether this regd has the claim.
    case renewed(Bool)
    case upstreamAnswered(UpstreamAnswer)
    case takenPerhaps
    case activated(ActivationAnswer)
    case released(Bool)
    case networkFailed(NetworkFailure)
    case storeFailed(StoreFailure)
  }

  enum Action: Equatable, Sendable {
    /// Claims it with a new mark.
    case mark(AccountID, seen: Timestamp, at: Timestamp)
    /// Claims it with the mark that it has.
    case renew(AccountID, seen: Timestamp)
    case ask(UpstreamRegistration)
    case activate(StoredAccount)
    case release(AccountID, seen: Timestamp)
    case finish(DeliveryOutcome)
  }

  /// What the conductor waits to be told. Any phase may also be followed by `finished`.
  private enum Phase {
    /// Then `asking`.
    case marking
    /// Then `asking`.
    case renewing
    /// Then `activating` or `releasing`.
    case asking
    case activating
    case releasing
    case finished
  }

  private var phase: Phase
  private var holder: StoredAccount
  let first: Action

  /// - Parameters:
  ///   - holder: The account as it was read.
  ///   - isMarked: Whether the mark that it was read with is this process's own.
  init(_ holder: StoredAccount, isMarked: Bool, now: Timestamp) {
    let seen = holder.account.updatedAt
    self.holder = holder
    if isMarked {
      phase = .renewing
      first = .renew(holder.account.id, seen: seen)
    } else {
      phase = .marking
      self.holder.account.updatedAt = max(now, Timestamp(microseconds: seen.microseconds + 1))
      first = .mark(holder.account.id, seen: seen, at: self.holder.account.updatedAt)
    }
  }

  mutating func next(_ event: Event) -> Action {
    switch (phase, event) {
    case (.marking, .marked(.resumed)), (.renewing, .renewed(true)): go(.asking, .ask(UpstreamRegistration(holder)))
    // whether it is still there is looked up when its turn comes again
    case (.marking, .marked(.gone)), (.marking, .marked(.claimed)), (.renewing, .renewed(false)):
      finish(.claimedElsewhere)
    case (.asking, .upstreamAnswered(.registered)): go(.activating, .activate(holder))
    case (.asking, .upstreamAnswered(.taken)):
      go(.releasing, .release(holder.account.id, seen: holder.account.updatedAt))
    case (.asking, .takenPerhaps): finish(.takenPerhaps(holder.account))
    case (.asking, .networkFailed(let failure)): finish(.failed(holder.account, failure))
    case (.activating, .activated(.active(let account))): finish(.activated(account))
    case (.activating, .activated(.taken)), (.releasing, .released(true)): finish(.taken(holder.account))
    case (.releasing, .released(false)): finish(.gone)
    case (_, .storeFailed(let failure)): finish(.store(failure))
    case (_, .marked), (_, .renewed), (_, .upstreamAnswered), (_, .takenPerhaps), (_, .activated), (_, .released),
      (_, .networkFailed):
      finish(.fault(InternalFault(event, in: phase)))
    }
  }

  private mutating func finish(_ outcome: DeliveryOutcome) -> Action { go(.finished, .finish(outcome)) }

  private mutating func go(_ phase: Phase, _ action: Action) -> Action {
    self.phase = phase
    return action
  }
}
