package import Registration
package import TestDoubles

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
    .init("past the bound, a sweep removes unmailed claims, then the oldest of the user and origin with the most") {
      subject in
      let store = subject.store
      let (mine, late) = (Stage.claim(uid: 8, at: -9), Stage.claim(uid: 9, origin: "many", at: 1))
      try await store.addAll(mine, late)
      let end = Stage.time(5000)
      try await subject.fill(Crowd(uid: 11, origin: "u", count: 5, expiresAt: end, isMailed: false))
      try await subject.fill(Crowd(uid: 9, origin: "few", count: 20, expiresAt: end))
      try await subject.fill(Crowd(uid: 9, origin: "many", count: ClaimBounds.all - 10, expiresAt: end))
      let answer = try await store.add(Stage.claim(.registration, "new@example.com", uid: 12, at: 2))
      try same(answer, .added, "one more claim")
      while try await store.sweep(at: Stage.time(3), addressesBefore: Stage.time(0), limit: 6) {}
      let left = try await store.claims(after: nil, limit: 2 * ClaimBounds.all, at: Stage.time(3))
      try same(left.count, ClaimBounds.all, "all")
      for (uid, origin, count) in [(11, "u", 0), (9, "few", 20), (9, "many", ClaimBounds.all - 22)] {
        try same(left.count { $0.uid == UInt32(uid) && $0.origin?.text == origin }, count, "of \(origin)")
      }
      for each in [mine, late] {
        try same(try await store.state(each, at: 3), .open, "the oldest claim, and a late one")
      }
    }
  ]

  /// Rules for claims that got no mail, because their address had too many.
  static let unmailed: [Rule] = [
    Rule("a recovery mailed only under a known client's own bound has a code, and is hidden instead of removed") {
      store in
      for number in 0..<MailBounds.perAddressAtMost {
        try await store.addAll(Stage.claim(uid: 9, origin: "m\(number)"))
      }
      let claims = (0..<3).map { Stage.claim(.recovery, uid: 8, at: $0 + 1) }
      for claim in claims {
        let answer = try await store.add(
          claim, Stage.mail(claim, isKnown: claim.id != claims[2].id), Stage.stamp(4, uid: 8))
        try same(answer, .added, "added")
      }
      func mailed(_ claim: AddressClaim, at seconds: Int) async throws -> MailBounds.Part? {
        try some(try await store.find(claim.id, at: Stage.time(seconds))).mailed
      }
      for (claim, part) in zip(claims, [MailBounds.Part.own, .own, nil]) {
        try same(try await mailed(claim, at: 5), part, "admitted by")
        try same(try await store.find(claim.id, at: Stage.time(5))?.hasCode, part != nil, "has a code")
      }
      func renew(_ claim: AddressClaim, by generations: Int, isKnown: Bool, at seconds: Int) async throws {
        let seen = try some(try await store.find(claim.id, at: Stage.time(seconds)))
        var next = seen
        next.generation += generations
        next.resendAt = Stage.time(seconds)
        let mail = Stage.mail(Stage.claim(.recovery, uid: 8, at: seconds), of: claim.id, isKnown: isKnown)
        try same(try await store.renew(next, seen: seen, mail, Stage.stamp(seconds, uid: 8)), true, "renewed")
      }
      try await renew(claims[1], by: 0, isKnown: false, at: 6)
      try same(try await mailed(claims[1], at: 6), .own, "the same code, whose repeat is not admitted")
      try await renew(claims[1], by: 1, isKnown: true, at: 7)
      try same(try await mailed(claims[1], at: 7), .own, "another code")
      try await renew(claims[1], by: 1, isKnown: false, at: 8)
      try same(try await mailed(claims[1], at: 8), nil, "another code that is not admitted")
      // an hour later the address's bound admits a mail again; then the claim ranks as mailed
      try await renew(claims[2], by: 1, isKnown: true, at: 3700)
      try same(try await mailed(claims[2], at: 3700), .shared, "by the address's bound")
      for number in 1..<MailBounds.perAddressAtMost {
        try await store.addAll(Stage.claim(uid: 9, origin: "n\(number)", at: 3700))
      }
      try await renew(claims[2], by: 0, isKnown: true, at: 3701)
      try same(try await mailed(claims[2], at: 3701), .shared, "the same code, sent again under the client's own bound")
      for number in 0..<ClaimBounds.unmailedPerAddress {
        try await store.addAll(Stage.claim(.recovery, uid: 8, at: 3702 + number))
      }
      let later = Stage.time(3900)
      for (claim, state) in zip(claims, [AddressClaim.State?.some(.open), nil, .open]) {
        try same(try await store.state(claim, at: 3900), state, "after many unmailed claims")
        try same(
          try await store.find(claim.id, at: later)?.isHidden ?? false, claim.id == claims[0].id, "hidden")
      }
      let left = try await store.claims(after: nil, limit: 999, at: later)
      try same(left.count { !$0.ranksAsMailed }, ClaimBounds.unmailedPerAddress, "unmailed claims")
    },
    Rule("an unmailed claim beyond the bound replaces the oldest unmailed one of the user and origin with the most") {
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
    },
  ]
}
