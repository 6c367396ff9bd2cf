extension Registrar {
  /// Does to the store what the conductor of a registration decides.
  func store(
    _ action: RegistrationConductor.Action, of request: RequestKey?, by requester: Requester?
  ) async -> RegistrationConductor.Event {
    let stamp = Stamp(time.now(), by: requester)
    do {
      switch action {
      case .findRequest(let request): return .foundRequest(try await store.find(request))
      case .find(let key): return .found(try await store.find(key))
      case .insert(let account):
        switch try await store.insert(account, request: request, stamp) {
        case .inserted:
          if account.account.state == .pending {
            reservations.marked(account.account.id, at: account.account.updatedAt, isNew: true)
          }
          return .inserted
        case .taken(let holder): return .insertionLost(to: holder)
        case .requestKnown(let known): return .insertionKnown(known)
        }
      case .findReleased(let request, let key):
        return .foundReleased(try await store.released(request, key, at: stamp.time))
      case .note(let request, let id): return .noted(try await store.note(request, for: id))
      case .activate(let id):
        let account = try await store.activate(id, stamp)
        reservations.settled(id)
        return .activated(account)
      case .resume(let id, let seen, let time):
        let isOurs = try await store.resume(id, seen: seen, Stamp(time, by: requester))
        if isOurs { reservations.marked(id, at: time, isNew: false) }
        return .resumed(mark: isOurs ? time : nil)
      case .release(let id, let seen, let isRemembered):
        let isReleased = try await store.release(id, seen: seen, remembered: isRemembered, stamp)
        if isReleased { reservations.givenUp(id) }
        return .released(isReleased)
      case .hash, .verify, .recognise, .ask, .finish:
        return .storeFailed(.unavailable(detail: "no store operation: \(action)"))
      }
    } catch {
      return .storeFailed(error)
    }
  }
}
