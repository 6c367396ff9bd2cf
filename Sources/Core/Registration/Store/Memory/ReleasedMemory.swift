/// Remembers released registrations (`ReleasedRegistration`) for the memory store, within its bounds on age and number
/// per user.
struct ReleasedMemory {
  private struct Entry {
    let request: RequestKey
    let registration: ReleasedRegistration
    let origin: Origin?
    let time: Timestamp
  }

  private struct Entries {
    /// The oldest first.
    private(set) var all: [Entry] = []
    /// The requests that have entries, so that `append` needs no search for a new request.
    private var requests: Set<RequestKey> = []

    mutating func append(_ entry: Entry) {
      if requests.contains(entry.request) {
        remove { $0.request == entry.request && $0.registration.id == entry.registration.id }
      }
      all.append(entry)
      requests.insert(entry.request)
    }

    /// If there are more than `mostPerUser` entries, forgets one after the other until `mostLeft` remain: each time the
    /// oldest entry of the origin that has the most entries.
    mutating func makeRoom() {
      guard all.count > ReleasedRegistration.mostPerUser else { return }
      var counts: [Origin?: Int] = [:]
      // each entry's rank within its origin: the newest entry has rank 1
      let places: [Int] = all.reversed().map { entry in
        counts[entry.origin, default: 0] += 1
        return counts[entry.origin, default: 0]
      }.reversed()
      let inOrder = zip(places, all.indices).sorted { one, other in (other.0, one.1) < (one.0, other.1) }
      let going = Set(inOrder.prefix(all.count - ReleasedRegistration.mostLeft).map(\.1))
      all = all.indices.filter { !going.contains($0) }.map { all[$0] }
      requests = Set(all.map(\.request))
    }

    mutating func removeFirst(_ isOver: (Timestamp) -> Bool) { remove(first: all.prefix { isOver($0.time) }.count) }

    mutating func remove(where isMeant: (Entry) -> Bool) {
      all.removeAll(where: isMeant)
      requests = Set(all.map(\.request))
    }

    private mutating func remove(first count: Int) {
      guard count > 0 else { return }
      // the last line inserts a request again if a later entry of the request remains
      for entry in all.prefix(count) { requests.remove(entry.request) }
      all.removeFirst(count)
      if requests.count < all.count { requests = Set(all.map(\.request)) }
    }
  }

  private var users: [UInt32: Entries] = [:]

  /// - Parameters:
  ///   - released: One account's released registration, keyed by request.
  ///   - origin: The origin that reserved the account.
  mutating func note(_ released: [RequestKey: ReleasedRegistration], of origin: Origin?, at time: Timestamp) {
    let oldest = time.advanced(by: .zero - ReleasedRegistration.lifetime)
    sweep { $0 < oldest }
    for (request, registration) in released {
      users[request.uid, default: Entries()].append(
        Entry(request: request, registration: registration, origin: origin, time: time))
    }
    change { $0.makeRoom() }
  }

  func released(_ request: RequestKey, _ key: EmailKey, at now: Timestamp) -> [ReleasedRegistration] {
    let oldest = now.advanced(by: .zero - ReleasedRegistration.lifetime)
    let kept = (users[request.uid]?.all ?? []).reversed().lazy
      .filter { $0.request == request && $0.registration.email.key == key && $0.time >= oldest }
    return kept.prefix(ReleasedRegistration.mostGiven).map(\.registration)
  }

  func last(_ request: RequestKey, _ key: EmailKey) -> AccountID? {
    users[request.uid]?.all.last { $0.request == request && $0.registration.email.key == key }?.registration.id
  }

  mutating func sweep(_ isOver: (Timestamp) -> Bool) { change { $0.removeFirst(isOver) } }

  mutating func forget(_ key: EmailKey) { change { $0.remove { $0.registration.email.key == key } } }

  private mutating func change(_ body: (inout Entries) -> Void) {
    for uid in users.keys {
      body(&users[uid, default: Entries()])
      if users[uid]?.all.isEmpty ?? false { users[uid] = nil }
    }
  }
}
