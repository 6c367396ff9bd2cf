extension Registrar {
  /// Asks the upstream once more for an account that is pending. Who repeats that registration meanwhile joins it, and
  /// nobody takes it away.
  ///
  /// - Parameter network: The network to ask; nil for the one that registrations ask.
  func deliver(_ id: AccountID, over network: (any NetworkService)? = nil) async -> DeliveryOutcome {
    guard attempts.beginIfFree(id) else { return .underWay }
    let holder: StoredAccount
    do throws(StoreFailure) {
      // only now: whoever could change it finds it under way
      guard let found = try await store.find(id), found.account.state == .pending else {
        reservations.settled(id)
        attempts.giveUp(id)
        return .gone
      }
      holder = found
    } catch {
      attempts.giveUp(id)
      return .store(error)
    }
    let isMarked = reservations.isMarked(id, holder.account.updatedAt)
    var conductor = DeliveryConductor(holder, isMarked: isMarked, now: time.now())
    var action = conductor.first
    while true {
      if case .finish(let outcome) = action {
        if outcome.isSettled { reservations.settled(id) }
        if let told = registrationOutcome(of: outcome) { attempts.end(id, told) } else { attempts.giveUp(id) }
        return outcome
      }
      action = conductor.next(await perform(action, network ?? self.network))
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
      switch await ask(registration, network, for: .daemon) {
      case .success(.taken): return reservations.believesTaken(registration.id) ? .answered(.taken) : .takenPerhaps
      case .success(.registered): return .answered(.registered)
      case .failure(let failure): return .networkFailed(failure)
      }
    }
    let stamp = Stamp(time.now())
    do {
      switch action {
      case .mark(let id, let seen, let time):
        let isMarked = try await store.resume(id, seen: seen, Stamp(time))
        if isMarked { reservations.marked(id, at: time, isNew: false) }
        return .marked(isMarked)
      case .activate(let id): return .activated(try await store.activate(id, stamp))
      case .release(let id, let seen):
        return .released(try await store.release(id, seen: seen, remembered: true, stamp))
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

  /// Asks the upstream to register, and notes where that may still be at work afterwards.
  func ask(
    _ registration: UpstreamRegistration, _ network: any NetworkService, for share: Share
  ) async -> Result<UpstreamAnswer, NetworkFailure> {
    do throws(NetworkFailure) {
      return .success(try await network.register(registration, for: share))
    } catch {
      if error.mayHaveActed { reservations.doubt(registration.id) }
      return .failure(error)
    }
  }
}

extension DeliveryOutcome {
  /// Whether it is not pending any more.
  fileprivate var isSettled: Bool {
    switch self {
    case .activated, .taken, .gone: true
    case .takenPerhaps, .failed, .underWay, .store: false
    }
  }
}
