/// What the memory store remembers of released registrations: bounded by user and by age.
struct ReleasedMemory {
  private struct Entry {
    let request: RequestKey
    let registration: ReleasedRegistration
    let time: Timestamp
  }

  private struct Entries {
    /// The oldest first.
    private(set) var all: [Entry] = []
    /// The requests that have entries: noting another one searches nothing.
    private var requests: Set<RequestKey> = []

    mutating func append(_ entry: Entry) {
      if requests.contains(entry.request) {
        remove { $0.request == entry.request && $0.registration.id == entry.registration.id }
      }
      all.append(entry)
      requests.insert(entry.request)
      if all.count > ReleasedRegistration.mostPerUser { remove(first: all.count - ReleasedRegistration.mostPerUser) }
    }

    mutating func remove(before oldest: Timestamp) { remove(first: all.prefix { $0.time < oldest }.count) }

    mutating func remove(where isMeant: (Entry) -> Bool) {
      all.removeAll(where: isMeant)
      requests = Set(all.map(\.request))
    }

    private mutating func remove(first count: Int) {
      guard count > 0 else { return }
      // a request of which a later entry stays is inserted again
      for entry in all.prefix(count) { requests.remove(entry.request) }
      all.removeFirst(count)
      if requests.count < all.count { requests = Set(all.map(\.request)) }
    }
  }

  private var users: [UInt32: Entries] = [:]

  mutating func note(_ request: RequestKey, _ registration: ReleasedRegistration, at time: Timestamp) {
    change { $0.remove(before: time.advanced(by: .zero - ReleasedRegistration.lifetime)) }
    users[request.uid, default: Entries()].append(Entry(request: request, registration: registration, time: time))
  }

  func released(_ request: RequestKey, _ key: EmailKey, at now: Timestamp) -> [ReleasedRegistration] {
    let oldest = now.advanced(by: .zero - ReleasedRegistration.lifetime)
    let kept = (users[request.uid]?.all ?? []).reversed().lazy
      .filter { $0.request == request && $0.registration.email.key == key && $0.time >= oldest }
    return kept.prefix(ReleasedRegistration.mostGiven).map(\.registration)
  }

  mutating func forget(_ key: EmailKey) { change { $0.remove { $0.registration.email.key == key } } }

  private mutating func change(_ body: (inout Entries) -> Void) {
    for uid in users.keys {
      body(&users[uid, default: Entries()])
      if users[uid]?.all.isEmpty ?? false { users[uid] = nil }
    }
  }
}
