package import Registration

/// A store that can be filled from outside with more claims than a test has time to request.
package struct CrowdedStore: Sendable {
  package let store: any AccountStore
  /// Adds claims and no mails.
  package let fill: @Sendable (Crowd) async throws -> Void

  package init(store: any AccountStore, fill: @escaping @Sendable (Crowd) async throws -> Void) {
    (self.store, self.fill) = (store, fill)
  }
}

/// Open recoveries that are alike, all made at `Fixtures.time`, each for another address.
package struct Crowd: Sendable {
  package let uid: UInt32
  package let origin: String
  package let count: Int
  package let expiresAt: Timestamp
  package var isMailed = true
}

extension StoreConformance {
  private typealias Stage = ClaimScene

  /// Rules for very many claims.
  package static let crowds: [ConformanceRule<CrowdedStore>] = [
    .init(
      "past the bound of all claims a sweep takes those not mailed, then the oldest of the user and origin with the most"
    ) {
      subject in
      let store = subject.store
      let (mine, late) = (Stage.claim(uid: 8, at: -9), Stage.claim(uid: 9, origin: "many", at: 1))
      try await store.addAll(mine, late)
      let end = Stage.time(5000)
      try await subject.fill(Crowd(uid: 11, origin: "u", count: 5, expiresAt: end, isMailed: false))
      try await subject.fill(Crowd(uid: 9, origin: "few", count: 20, expiresAt: end))
      try await subject.fill(Crowd(uid: 9, origin: "many", count: ClaimBounds.all - 10, expiresAt: end))
      let answer = try await store.add(Stage.claim(.registration, "new@example.com", uid: 12, at: 2))
      try same(answer, .added, "one more")
      while try await store.sweep(at: Stage.time(3), addressesBefore: Stage.time(0), limit: 6) {}
      let left = try await store.claims(after: nil, limit: 2 * ClaimBounds.all, at: Stage.time(3))
      try same(left.count, ClaimBounds.all, "all")
      for (uid, origin, count) in [(11, "u", 0), (9, "few", 20), (9, "many", ClaimBounds.all - 22)] {
        try same(left.count { $0.uid == UInt32(uid) && $0.origin?.text == origin }, count, "of \(origin)")
      }
      for each in [mine, late] {
        try same(try await store.state(each, at: 3), .open, "the oldest of all, and a late one")
      }
    }
  ]

  /// Rules for claims that got no mail, because their address had too many.
  static let unmailed: [Rule] = [
    Rule("room for a claim that is not mailed is made among those, of the user and origin with the most the oldest") {
      store in
      let mailed =
        [Stage.claim(uid: 8, at: -9)] + (1..<MailBounds.perAddressAtMost).map { Stage.claim(uid: 9, origin: "m\($0)") }
      for claim in mailed { try await store.addAll(claim) }
      for claim in mailed { try same(try await store.find(claim.id, at: Stage.time(1))?.isMailed, true, "mailed") }
      var second = 0
      func add(_ uid: UInt32, _ origin: String?, _ count: Int) async throws -> [AddressClaim] {
        var claims: [AddressClaim] = []
        for _ in 0..<count {
          second += 1
          claims.append(Stage.claim(uid: uid, origin: origin, at: second))
          try await store.addAll(claims[claims.count - 1])
        }
        return claims
      }
      let room = ClaimBounds.unmailedPerAddress
      let own = try await add(8, nil, 2)
      let few = try await add(9, "m1", room - 62)
      let many = try await add(9, "m2", 60)
      _ = try await add(10, "m3", 1) + add(8, nil, 1)
      let now = Stage.time(second)
      let left = Set(try await store.claims(after: nil, limit: 999, at: now).map(\.id))
      try same(
        many.map { left.contains($0.id) }, [false, false] + Array(repeating: true, count: 58),
        "of the origin with the most")
      try same(left.count, mailed.count + room, "all")
      for claim in mailed + own + few { try same(left.contains(claim.id), true, "another") }
    }
  ]
}
