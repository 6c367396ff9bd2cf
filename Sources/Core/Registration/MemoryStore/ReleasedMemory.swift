/// What the memory store remembers of released registrations: bounded by user and by age.
struct ReleasedMemory {
  private struct Entry {
    let request: RequestKey
    let registration: ReleasedRegistration
    let time: Timestamp
  }

  /// The oldest first.
  private var entries: [UInt32: [Entry]] = [:]

  mutating func note(_ request: RequestKey, _ registration: ReleasedRegistration, at time: Timestamp) {
    for uid in entries.keys { remove(of: uid) { $0.time < time.advanced(by: .zero - ReleasedRegistration.lifetime) } }
    remove(of: request.uid) { $0.request == request && $0.registration.id == registration.id }
    var kept = entries[request.uid] ?? []
    kept.append(Entry(request: request, registration: registration, time: time))
    entries[request.uid] = kept.suffix(ReleasedRegistration.mostPerUser)
  }

  func released(_ request: RequestKey, _ key: EmailKey, at now: Timestamp) -> [ReleasedRegistration] {
    let oldest = now.advanced(by: .zero - ReleasedRegistration.lifetime)
    let kept = entries[request.uid, default: []].reversed().lazy
      .filter { $0.request == request && $0.registration.email.key == key && $0.time >= oldest }
    return kept.prefix(ReleasedRegistration.mostGiven).map(\.registration)
  }

  mutating func forget(_ key: EmailKey) {
    for uid in entries.keys { remove(of: uid) { $0.registration.email.key == key } }
  }

  private mutating func remove(of uid: UInt32, where isMeant: (Entry) -> Bool) {
    entries[uid]?.removeAll(where: isMeant)
    if entries[uid]?.isEmpty ?? false { entries[uid] = nil }
  }
}
