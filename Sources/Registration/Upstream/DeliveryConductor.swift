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
  private let believesTaken: Bool
  let first: Action

  /// - Parameters:
  ///   - holder: The account as it was read.
  ///   - isMarked: Whether the mark that it was read with is this process's own.
  ///   - believesTaken: Whether an upstream that has the address already is to be believed.
  init(_ holder: StoredAccount, isMarked: Bool, believesTaken: Bool, now: Timestamp) {
    self.believesTaken = believesTaken
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
    case (.asking, .answered(.taken)):
      guard believesTaken else { return finish(.takenPerhaps(holder.account)) }
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

extension Registrar {
  /// Asks the upstream once more for an account that is pending. Who repeats that registration meanwhile joins it, and
  /// nobody takes it away.
  ///
  /// - Parameters:
  ///   - mark: The mark that this process has set on the reservation.
  ///   - believesTaken: Whether an upstream that has the address already is to be believed.
  ///   - network: The network to ask; nil for the one that registrations ask.
  /// - Returns: With the mark that the reservation has now, where that is this process's own.
  func deliver(
    _ id: AccountID, mark: Timestamp?, believesTaken: Bool, over network: (any NetworkService)? = nil
  ) async -> (outcome: DeliveryOutcome, mark: Timestamp?) {
    guard attempts.beginIfFree(id) else { return (.underWay, mark) }
    let holder: StoredAccount
    do throws(StoreFailure) {
      // only now: whoever could change it finds it under way
      guard let found = try await store.find(id), found.account.state == .pending else {
        attempts.giveUp(id)
        return (.gone, nil)
      }
      holder = found
    } catch {
      attempts.giveUp(id)
      return (.store(error), mark)
    }
    let isMarked = mark == holder.account.updatedAt
    var conductor = DeliveryConductor(holder, isMarked: isMarked, believesTaken: believesTaken, now: time.now())
    var action = conductor.first
    var mark = isMarked ? mark : nil
    while true {
      if case .finish(let outcome) = action {
        if let told = registrationOutcome(of: outcome) { attempts.end(id, told) } else { attempts.giveUp(id) }
        return (outcome, mark)
      }
      let event = await perform(action, network ?? self.network)
      if case .mark(_, _, let time) = action, event == .marked(true) { mark = time }
      action = conductor.next(event)
    }
  }

  /// What those are told who have joined; nil where they have to look anew.
  private func registrationOutcome(of outcome: DeliveryOutcome) -> RegistrationOutcome? {
    switch outcome {
    case .activated(let account): .registered(account)
    case .taken: .taken
    case .failed(let account, let failure) where defersWhenUnreachable && failure.isWorthRepeating:
      .deferred(account, failure)
    case .failed(_, let failure): .network(failure, isPending: true)
    case .takenPerhaps(let account) where defersWhenUnreachable: .deferred(account, .failed)
    case .takenPerhaps: .network(.failed, isPending: true)
    case .store(let failure): .store(failure, isPending: true)
    case .gone, .underWay: nil
    }
  }

  private func perform(
    _ action: DeliveryConductor.Action, _ network: (any NetworkService)?
  ) async -> DeliveryConductor.Event {
    if case .ask(let registration) = action, let network {
      do { return .answered(try await network.register(registration, for: .daemon)) } catch {
        return .networkFailed(error)
      }
    }
    let stamp = Stamp(time.now())
    do {
      switch action {
      case .mark(let id, let seen, let time): return .marked(try await store.resume(id, seen: seen, Stamp(time)))
      case .activate(let id): return .activated(try await store.activate(id, stamp))
      case .release(let id, let seen): return .released(try await store.release(id, seen: seen, stamp))
      case .insert(let account):
        switch try await store.insert(account, request: nil, stamp) {
        case .inserted: return .inserted
        case .taken(let holder): return .insertionLost(to: holder)
        case .requestKnown: return .storeFailed(.unavailable(detail: "a request nobody named"))
        }
      case .ask, .finish: return .storeFailed(.unavailable(detail: "no store operation"))
      }
    } catch {
      return .storeFailed(error)
    }
  }
}
