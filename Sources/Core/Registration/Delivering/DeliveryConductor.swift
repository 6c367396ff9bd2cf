/// What came of asking the upstream once more for an account that is pending.
package enum DeliveryOutcome: Equatable, Sendable {
  /// The upstream has it, and so has the store.
  case activated(Account)
  /// The upstream has another account with this address: the reservation is gone.
  case taken(Account)
  /// The upstream says so, and is not believed yet: it stays pending.
  case takenPerhaps(Account)
  /// It stays pending.
  case failed(Account, NetworkFailure)
  /// It is not pending any more, or another process is at it.
  case gone
  /// Its registration is under way here.
  case underWay
  case store(StoreFailure)
}

/// Takes every decision of one delivery, and does nothing itself: an event in, the next action out.
///
/// The reservation is marked, so that whoever made it does not take it back; the upstream is asked, with the id that it was
/// asked with before; and the account is activated. Nothing but the upstream's own word takes a reservation away.
struct DeliveryConductor {
  enum Event: Equatable, Sendable {
    case marked(Bool)
    case answered(UpstreamAnswer)
    /// The upstream calls the address taken, and is not believed: what was asked before may still be at work.
    case takenPerhaps
    case networkFailed(NetworkFailure)
    case activated(Account?)
    case inserted
    case insertionLost(to: StoredAccount)
    case released(Bool)
    case storeFailed(StoreFailure)
  }

  enum Action: Equatable, Sendable {
    case mark(AccountID, seen: Timestamp, at: Timestamp)
    case ask(UpstreamRegistration)
    case activate(AccountID)
    case insert(StoredAccount)
    case release(AccountID, seen: Timestamp)
    case finish(DeliveryOutcome)
  }

  private enum Phase {
    case marking
    case asking
    case activating
    /// The upstream has the account, and the store has lost it: another process has taken its reservation back.
    case restoring
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
      phase = .asking
      first = .ask(UpstreamRegistration(holder))
    } else {
      phase = .marking
      self.holder.account.updatedAt = max(now, Timestamp(microseconds: seen.microseconds + 1))
      first = .mark(holder.account.id, seen: seen, at: self.holder.account.updatedAt)
    }
  }

  mutating func next(_ event: Event) -> Action {
    switch (phase, event) {
    case (.marking, .marked(true)):
      phase = .asking
      return .ask(UpstreamRegistration(holder))
    case (.marking, .marked(false)):
      return finish(.gone)
    case (.asking, .answered(.registered)):
      phase = .activating
      return .activate(holder.account.id)
    case (.asking, .takenPerhaps):
      return finish(.takenPerhaps(holder.account))
    case (.asking, .answered(.taken)):
      phase = .releasing
      return .release(holder.account.id, seen: holder.account.updatedAt)
    case (.asking, .networkFailed(let failure)):
      return finish(.failed(holder.account, failure))
    case (.activating, .activated(let account?)):
      return finish(.activated(account))
    case (.activating, .activated(nil)):
      phase = .restoring
      var active = holder
      active.account.state = .active
      return .insert(active)
    case (.restoring, .inserted):
      var account = holder.account
      account.state = .active
      return finish(.activated(account))
    case (.restoring, .insertionLost(let other)):
      guard other.account.id == holder.account.id else { return finish(.taken(holder.account)) }
      guard other.account.state == .pending else { return finish(.activated(other.account)) }
      phase = .activating
      return .activate(other.account.id)
    case (.releasing, .released(true)):
      return finish(.taken(holder.account))
    case (.releasing, .released(false)):
      return finish(.gone)
    case (_, .storeFailed(let failure)):
      return finish(.store(failure))
    default:
      return finish(.store(.unavailable(detail: "\(event) is out of place")))
    }
  }

  private mutating func finish(_ outcome: DeliveryOutcome) -> Action {
    phase = .finished
    return .finish(outcome)
  }
}

extension UpstreamRegistration {
  init(_ stored: StoredAccount) {
    self.init(id: stored.account.id, email: stored.account.email, passwordHash: stored.passwordHash)
  }
}
