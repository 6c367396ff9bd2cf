package import Registration
import TestDoubles

/// A store that can be filled from outside with more claims than a test has time to request.
package struct CrowdedStore: Sendable {
  package let store: Accounts
  /// Adds claims and no mails.
  package let fill: @Sendable (Crowd) async throws -> Void

  package init(store: Accounts, fill: @escaping @Sendable (Crowd) async throws -> Void) {
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

  /// A recovery that had to give way although its code was mailed.
  static func hidden(_ store: Accounts) async throws -> AddressClaim {
    for number in 0..<MailBounds.perAddressAtMost {
      try await store.addAll(Stage.claim(uid: 9, origin: "m\(number)"))
    }
    let claim = Stage.claim(.recovery, uid: 8, at: 1)
    _ = try await store.add(claim, Stage.mail(claim, isKnown: true), Stage.stamp(1, uid: 8))
    for number in 0..<ClaimBounds.unmailedPerAddress {
      try await store.addAll(Stage.claim(.recovery, uid: 8, at: 2 + number))
    }
    let found = try some(try await store.find(claim.id, at: Stage.time(200)))
    try same(found.isHidden, true, "hidden")
    return found
  }

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
        let found = try some(try await store.find(claim.id, at: Stage.time(seconds)))
        return found.mailed
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
      // an hour later, the address's bound admits a mail again, and then the claim ranks as mailed
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
    Rule("a hidden recovery keeps its code and stays hidden, gets no other mail, and ends with an uncounted wrong code")
    {
      store in
      let claim = try await hidden(store)
      let now = Stage.time(900)
      var next = claim
      next.resendAt = now
      let mail = Stage.mail(Stage.claim(.recovery, uid: 8, at: 900), of: claim.id, isKnown: true)
      try same(try await store.renew(next, seen: claim, mail, Stage.stamp(900, uid: 8)), false, "with a mail")
      try same(try await store.renew(next, seen: claim, nil, Stage.stamp(900, uid: 8)), true, "without a mail")
      let renewed = try some(try await store.find(claim.id, at: now))
      try same(renewed, next, "renewed")
      let right = try await store.guess(claim.id, Stage.guess(true), Stage.stamp(901, uid: 8))
      try same(right, .right(renewed), "the correct code")
      let wrong = try await store.guess(claim.id, Stage.guess(false), Stage.stamp(902, uid: 8))
      try same(wrong, .wrong(attemptsLeft: 0), "a wrong code")
      try same(try await store.find(claim.id, at: now), nil, "after a wrong code")
      let counts = try await store.wrongCodes(at: claim.email.key, limit: 9, now)
      try same(counts, WrongCodes(atAddress: 0, overAll: 0), "counts")
    },
    Rule("if several claims exceed the bound, the store removes or hides those that ClaimBounds chooses") { store in
      for number in 0..<MailBounds.perAddressAtMost {
        try await store.addAll(Stage.claim(uid: 9, origin: "m\(number)", at: -number))
      }
      for number in 0..<4 {
        let claim = Stage.claim(.recovery, uid: 8, origin: number < 2 ? "a" : "b", at: number * 30)
        _ = try await store.add(claim, Stage.mail(claim, isKnown: true), Stage.stamp(number * 30, uid: 8))
      }
      for number in 0..<ClaimBounds.unmailedPerAddress - 4 {
        try await store.addAll(Stage.claim(uid: 8, origin: ["a", "b", "c"][number % 3], at: number))
      }
      // makes mailed claims unmailed, for which the store makes no room
      for claim in try await store.claims(after: nil, limit: 999, at: Stage.time(200)).filter(\.ranksAsMailed).prefix(5)
      {
        var next = claim
        next.generation += 1
        let mail = Stage.mail(Stage.claim(uid: 9, at: 200), of: claim.id)
        try same(try await store.renew(next, seen: claim, mail, Stage.stamp(200, uid: 9)), true, "renewed")
      }
      let last = Stage.claim(.recovery, uid: 8, origin: "d", at: 201)
      let pool = try await store.claims(after: nil, limit: 999, at: Stage.time(201)).filter { !$0.ranksAsMailed }
      var added = last
      added.mailed = nil
      let surplus = ClaimBounds.surplus(of: pool + [added], beyond: ClaimBounds.unmailedPerAddress)
      try same(surplus.count, 6, "surplus")
      try same(surplus.contains(where: \.isHiddenInsteadOfRemoved), true, "one is to be hidden")
      try await store.addAll(last)
      for claim in pool {
        let found = try await store.find(claim.id, at: Stage.time(202))
        let isChosen = surplus.contains { $0.id == claim.id }
        try same(found == nil, isChosen && !claim.isHiddenInsteadOfRemoved, "\(claim.id) is removed")
        if let found { try same(found.isHidden, isChosen, "\(claim.id) is hidden") }
      }
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
