/// The outcome of asking the upstream again for a pending account.
package enum DeliveryOutcome: ObstructibleOutcome, Equatable, Sendable {
  /// The upstream has the account, and the store has made it active.
  case activated(Account)
  /// The upstream answered that another account has this address. regd has removed its own account, or has made it wait
  /// for approval again, as its state then shows.
  case taken(Account)
  /// The upstream answered `taken`, perhaps because an earlier request is still in progress there. The account remains
  /// pending.
  case takenPerhaps(Account)
  /// The upstream gave no usable answer. The account remains pending. But if its state is `waiting`, it waits for
  /// approval again.
  case failed(Account, NetworkFailure)
  /// The account is no longer pending.
  case gone
  /// Another regd claims the account, or has just taken it over, and may be asking the upstream. This regd did not ask.
  case claimedElsewhere
  /// Another regd has asked the upstream in vain since this regd last looked, and has noted a pause. This regd did not
  /// ask.
  case putOffElsewhere(PendingAccount)
  /// The account's registration is in flight in this process.
  case inFlight
  case obstructed(Obstacle)

  package var obstacle: Obstacle? { if case .obstructed(let obstacle) = self { obstacle } else { nil } }
}

/// Makes every decision of one delivery, which asks the upstream again for a pending account.
///
/// First claims the account for this regd, so that no other regd asks for it or removes it. Then asks the upstream,
/// under the same id as before, and activates the account. Only the upstream's own answer can remove the account.
struct DeliveryConductor: Conductor {
  enum Event: Equatable, Sendable, UpstreamEvents {
    case marked(ResumeAnswer)
    /// Whether this regd has the claim.
    case renewed(Bool)
    case upstreamAnswered(UpstreamAnswer)
    case takenPerhaps
    case activated(ActivationAnswer)
    case released(Bool)
    case disapproved(Bool)
    case obstructed(Obstacle)
  }

  enum Action: ConductedAction, Equatable, Sendable {
    /// Claims the account for this regd, under a new mark (`updatedAt`).
    case mark(AccountID, seen: Timestamp, at: Timestamp)
    /// Claims the account for this regd, under its present mark (`updatedAt`).
    case renew(AccountID, seen: Timestamp)
    case ask(UpstreamRegistration)
    case activate(StoredAccount)
    case release(AccountID, seen: Timestamp)
    /// Makes the account wait for approval again.
    case disapprove(AccountID, seen: Timestamp)
    case finish(DeliveryOutcome)
  }

  enum Phase: ConductorPhase {
    /// Claims the account under a new mark. Then `asking`.
    case marking
    /// Claims the account under its present mark. Then `asking`.
    case renewing
    /// Asks the upstream. Then `activating`, `releasing` or `disapproving`.
    case asking
    case activating
    case releasing
    case disapproving(then: DeliveryOutcome)
    case finished
  }

  var phase: Phase
  private var holder: StoredAccount
  private let approval: Approval?
  let first: Action

  /// For an account that an administrator has just approved. If the upstream certainly does not have the account
  /// afterwards, the account waits for approval again.
  struct Approval {
    /// Whether the account remains pending while the upstream cannot be asked.
    let mayDefer: Bool
  }

  /// - Parameters:
  ///   - holder: The account as it was read.
  ///   - isMarked: Whether this process itself has set the account's mark (`updatedAt`).
  init(_ holder: StoredAccount, isMarked: Bool, now: Timestamp, approval: Approval? = nil) {
    self.approval = approval
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
    // Another regd may have finished the account. If not, a later delivery finds it still pending.
    case (.marking, .marked(.gone)), (.marking, .marked(.claimed)), (.renewing, .renewed(false)):
      finish(.claimedElsewhere)
    case (.asking, .upstreamAnswered(.registered)): go(.activating, .activate(holder))
    case (.asking, .upstreamAnswered(.taken)) where approval != nil: disapprove { .taken($0) }
    case (.asking, .upstreamAnswered(.taken)):
      go(.releasing, .release(holder.account.id, seen: holder.account.updatedAt))
    case (.asking, .takenPerhaps): finish(.takenPerhaps(holder.account))
    case (.asking, .obstructed(.network(let failure))) where isUndone(failure):
      disapprove { .failed($0, failure) }
    case (.asking, .obstructed(.network(let failure))): finish(.failed(holder.account, failure))
    case (.disapproving(let outcome), .disapproved(true)): finish(outcome)
    case (.disapproving, .disapproved(false)): finish(.gone)
    case (.activating, .activated(.active(let account))): finish(.activated(account))
    case (.activating, .activated(.taken)), (.releasing, .released(true)): finish(.taken(holder.account))
    case (.releasing, .released(false)): finish(.gone)
    case (_, .obstructed(let obstacle)): finish(.obstructed(obstacle))
    default: finish(.obstructed(fault(event)))
    }
  }

  private func isUndone(_ failure: NetworkFailure) -> Bool {
    guard let approval else { return false }
    return !failure.mayHaveActed && !(approval.mayDefer && failure.isWorthPuttingOff)
  }

  /// - Parameter outcome: Makes the outcome from the account, which waits again.
  private mutating func disapprove(then outcome: (Account) -> DeliveryOutcome) -> Action {
    holder.account.state = .waiting
    return go(
      .disapproving(then: outcome(holder.account)), .disapprove(holder.account.id, seen: holder.account.updatedAt))
  }
}
