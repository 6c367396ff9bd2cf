package import Registration

/// A store that can be filled from outside with more claims than a test has the time to ask for.
package struct CrowdedStore: Sendable {
  package let store: any AccountStore
  /// Adds claims and no mails.
  package let fill: @Sendable (Crowd) async throws -> Void

  package init(store: any AccountStore, fill: @escaping @Sendable (Crowd) async throws -> Void) {
    (self.store, self.fill) = (store, fill)
  }
}

/// Open recoveries that are alike, all made at `Fixtures.time`.
package struct Crowd: Sendable {
  package let uid: UInt32
  package let origin: String
  package let count: Int
  package let expiresAt: Timestamp
  /// All have this one; nil if each has an address of its own.
  package var address: String?
}

extension StoreConformance {
  private typealias Stage = ClaimScene

  /// What holds where there are very many claims.
  package static let crowds: [ConformanceRule<CrowdedStore>] = [
    crowdedAddress,
    .init("a user's origin has so many claims that live, until the first of them expires; others are not in its way") {
      subject in
      let store = subject.store
      try await subject.fill(
        Crowd(uid: 7, origin: "o", count: ClaimBounds.perShare - 2, expiresAt: Stage.time(5000)))
      try await store.addAll(
        Stage.claim(.recovery, "a@example.com", origin: "o", seconds: 600),
        Stage.claim(.recovery, "b@example.com", origin: "o", seconds: 700))
      let claim = Stage.claim(.registration, origin: "o", request: "one", at: 1)
      try same(try await store.add(claim), .tooMany(until: Stage.time(600)), "one more")
      try same(try await store.find(claim.id, at: Stage.time(1)), nil, "the claim")
      try same(try await store.find(mail: Stage.mail(claim).id), nil, "its mail")
      try await store.addAll(
        Stage.claim(at: 1), Stage.claim(origin: "another", at: 1), Stage.claim(uid: 8, origin: "o", at: 1))
      try await store.addAll(Stage.claim(.registration, origin: "o", request: "one", at: 600))
      let next = Stage.claim(.recovery, origin: "o", at: 600)
      try same(try await store.add(next), .tooMany(until: Stage.time(700)), "one more, when the first has expired")
    },
    .init("a user has so many claims that live, over all of its origins; others are not in its way") { subject in
      let store = subject.store
      let share = ClaimBounds.perShare - 1
      var left = ClaimBounds.perUser - 1
      while left > 0 {
        try await subject.fill(
          Crowd(uid: 7, origin: "o\(left)", count: min(left, share), expiresAt: Stage.time(5000)))
        left -= min(left, share)
      }
      try await store.addAll(Stage.claim(.recovery, "a@example.com", origin: "last", seconds: 600))
      let claim = Stage.claim(origin: "another", at: 1)
      try same(try await store.add(claim), .tooMany(until: Stage.time(600)), "one more")
      try same(try await store.add(Stage.claim(at: 1)), .tooMany(until: Stage.time(600)), "one more without an origin")
      try await store.addAll(Stage.claim(uid: 8, origin: "another", at: 1))
      try await store.addAll(Stage.claim(origin: "another", at: 600))
    },
  ]

  package static let crowdedAddress = ConformanceRule<CrowdedStore>(
    "past the bound of an address a claim takes the place of the oldest of the share that has the most"
  ) { subject in
    let store = subject.store
    let elsewhere = Stage.claim(.recovery, "other@example.com", uid: 9, origin: "b")
    let owner = Stage.claim(uid: 8)
    // the oldest of all, and of the share that has most by then
    let (first, second) = (Stage.claim(uid: 9, origin: "b", at: -2), Stage.claim(uid: 9, origin: "b", at: -1))
    try await store.addAll(elsewhere, owner, first, second)
    for (origin, count) in [("a", 400), ("b", ClaimBounds.perAddress - 403)] {
      try await subject.fill(
        Crowd(uid: 9, origin: origin, count: count, expiresAt: Stage.time(5000), address: Stage.address))
    }
    let (one, another) = (Stage.claim(uid: 8, at: 1), Stage.claim(uid: 9, origin: "a", at: 2))
    try await store.addAll(one)
    try same(try await store.state(first, at: 2), nil, "the oldest of the share that has the most")
    try same(try await store.state(second, at: 2), .open, "the next one")
    try await store.addAll(another)
    try same(try await store.state(second, at: 2), nil, "the next one, then")
    let left = try await store.claims(after: nil, limit: 2 * ClaimBounds.perAddress, at: Stage.time(2))
    try same(left.count { $0.email.key.value == Stage.address }, ClaimBounds.perAddress, "claims for the address")
    for (origin, count) in [("a", 401), ("b", ClaimBounds.perAddress - 403)] {
      let own = left.count { $0.origin?.text == origin && $0.email.key.value == Stage.address }
      try same(own, count, "claims of \(origin)")
    }
    for each in [elsewhere, owner, one, another] { try same(try await store.state(each, at: 2), .open, "others") }
  }
}
