extension Registrar {
  /// Asks the upstream once more for an account that is pending. A caller who repeats that registration meanwhile joins the
  /// delivery, and no other process takes the account away.
  ///
  /// - Parameter network: The network to ask; nil for the one that registrations ask.
  func deliver(_ id: AccountID, over network: (any NetworkService)? = nil) async -> DeliveryOutcome {
    guard attempts.beginIfFree(id) else { return .underWay }
    let holder: StoredAccount
    do throws(StoreFailure) {
      // only now: every task that could change it finds it under way
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
    let outcome = await conduct(holder, network ?? self.network ?? FailingNetwork(.offline))
    if outcome.isSettled { reservations.settled(id) }
    if let told = registrationOutcome(of: outcome) { attempts.end(id, told) } else { attempts.giveUp(id) }
    if case .fault(let fault) = outcome { faults(fault) }
    return outcome
  }

  private func conduct(_ holder: StoredAccount, _ network: any NetworkService) async -> DeliveryOutcome {
    let isMarked = reservations.isMarked(holder.account.id, holder.account.updatedAt)
    var conductor = DeliveryConductor(holder, isMarked: isMarked, now: time.now())
    var action = conductor.first
    while true {
      let stamp = Stamp(time.now())
      let event: DeliveryConductor.Event
      switch action {
      case .mark(let id, let seen, let mark):
        event = await .storing(.marked(try await store.resume(id, seen: seen, Stamp(mark))))
        if event == .marked(true) { reservations.marked(id, at: mark, isNew: false) }
      case .ask(let registration): event = await ask(registration, over: network, for: .daemon)
      case .activate(let account):
        event = await .storing(.activated(try await activate(account, request: nil, stamp)))
      case .release(let id, let seen):
        event = await .storing(.released(try await store.release(id, seen: seen, remembered: true, stamp)))
      case .finish(let outcome): return outcome
      }
      action = conductor.next(event)
    }
  }

  /// The outcome for callers who have joined; nil if they have to begin anew.
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
    case .fault(let fault): .fault(fault)
    case .gone, .underWay: nil
    }
  }
}

extension DeliveryOutcome {
  /// Whether the account is not pending any more.
  fileprivate var isSettled: Bool {
    switch self {
    case .activated, .taken, .gone: true
    case .takenPerhaps, .failed, .underWay, .store, .fault: false
    }
  }
}
