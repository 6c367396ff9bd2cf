internal import Registration
import TestDoubles

extension StoreConformance {
  private typealias Stage = ClaimScene

  /// Rules for claims of addresses, until they are proven.
  static let addingClaims: [Rule] = [
    Rule("a missing claim cannot be found, guessed, renewed or proven, and ending it does nothing") { store in
      let claim = Stage.claim(request: "one")
      let recovery = Stage.claim(.recovery)
      let request = try some(claim.request)
      try same(try await store.find(claim.id, at: Fixtures.time), nil, "by id")
      try same(try await store.find(claimOf: request, at: Fixtures.time), nil, "by request")
      try same(try await store.guess(claim.id, Stage.guess(false), Stage.stamp(1)), .gone, "guess")
      let isRenewed = try await store.renew(claim, seen: claim, Stage.mail(claim), Stage.stamp(1))
      try same(isRenewed, false, "renew")
      try same(try await store.prove(claim.id, Stage.account(claim, at: 1), Stage.stamp(1)), .gone, "prove")
      let hash = PasswordHash(phc: "new")
      try same(
        try await store.recover(recovery.id, of: recovery.account, to: hash, Stage.notice(), Stage.stamp(1)), nil,
        "recover")
      try await store.end(claim.id)
      try same(try await store.claims(after: nil, limit: 9, at: Fixtures.time), [], "claims")
      try same(try await store.mails(after: nil, limit: 9), [], "mails")
      try same(try await store.audit(after: 0, limit: 9), [], "audit")
    },
    Rule("an added claim is found unchanged by id and by request, and creates no account") { store in
      var number = 0
      for kind in AddressClaim.Kind.allCases {
        for state in AddressClaim.State.allCases {
          number += 1
          let claim = Stage.claim(
            kind, "Jürgen+\(number)@example.com", origin: "203.0.113.9 é", request: "r\(number)",
            language: "es-MX, en;q=0.5", state: state)
          try await store.addAll(claim)
          try same(try await store.find(claim.id, at: Stage.time(1)), claim, "by id")
          try same(try await store.find(claimOf: try some(claim.request), at: Stage.time(1)), claim, "by request")
          try same(try await store.find(claim.email.key), nil, "an account by key")
          try same(try await store.find(claim.account), nil, "an account by id")
          try same(try await store.find(try some(claim.request)), nil, "an account by request")
        }
      }
      let bare = Stage.claim(.recovery)
      try await store.addAll(bare)
      try same(try await store.find(bare.id, at: Stage.time(1)), bare, "without optional values")
      try same(try await store.audit(after: 0, limit: 9), [], "audit")
    },
    Rule("one address may have many open claims, and they do not prevent a pending account") { store in
      let claims = [Stage.claim(), Stage.claim(), Stage.claim(.recovery), Stage.claim(.changeOfEmail, uid: 8)]
      for claim in claims { try await store.addAll(claim) }
      let listed = try await store.claims(after: nil, limit: 9, at: Stage.time(1))
      try same(listed, claims.sorted { $0.id < $1.id }, "claims")
      try same(try await store.insert(Fixtures.account(Stage.address, state: .pending)), .inserted, "an account")
      for claim in claims { try same(try await store.state(claim, at: 1), .open, "\(claim.kind)") }
    },
    Rule("a second claim for a request returns the first one and adds no mail") { store in
      let first = Stage.claim(request: "one")
      let second = Stage.claim(request: "one")
      let another = Stage.claim(uid: 8, request: "one")
      try await store.addAll(first)
      try same(try await store.add(second), .requestKnown(first), "again")
      try same(try await store.find(second.id, at: Stage.time(1)), nil, "the second")
      try same(try await store.mails(after: nil, limit: 9).count, 1, "mails")
      try await store.addAll(another)
    },
    Rule("a request that already has an account gets no claim and no mail") { store in
      let account = Fixtures.account("other@example.com")
      let claim = Stage.claim(request: "one")
      _ = try await store.insert(account, request: claim.request, Stage.stamp(0))
      let known = try some(try await store.find(try some(claim.request)))
      try same(try await store.add(claim), .requestHasAccount(known), "add")
      try same(try await store.find(claim.id, at: Stage.time(1)), nil, "the claim")
      try same(try await store.mails(after: nil, limit: 9), [], "mails")
    },
    Rule("an expired claim cannot be found or used, and its request can be used again") { store in
      let owner = Fixtures.account(Stage.address)
      let kinds = AddressClaim.Kind.allCases
      let claims = kinds.map { kind in
        let account = kind == .registration ? nil : owner.account.id
        return Stage.claim(kind, kind == .registration ? "free@example.com" : Stage.address, of: account, seconds: 100)
      }
      _ = try await store.insert(owner)
      for claim in claims { try await store.addAll(claim) }
      let last = Timestamp(microseconds: Stage.time(100).microseconds - 1)
      for claim in claims { try same(try await store.find(claim.id, at: last), claim, "in its last microsecond") }
      try same(try await store.claims(after: nil, limit: 9, at: last).count, claims.count, "listed")
      let now = Stage.stamp(100)
      for claim in claims {
        try same(try await store.find(claim.id, at: now.time), nil, "find")
        try same(try await store.guess(claim.id, Stage.guess(true), now), .gone, "guess")
        try same(try await store.renew(claim, seen: claim, nil, now), false, "renew")
      }
      try same(try await store.claims(after: nil, limit: 9, at: now.time), [], "listed")
      try same(try await store.prove(claims[0].id, Stage.account(claims[0], at: 100), now), .gone, "prove")
      try same(
        try await store.recover(claims[1].id, of: claims[1].account, to: PasswordHash(phc: "new"), nil, now), nil,
        "recover")
      let changed = try await store.changeEmail(
        of: owner.account.id, from: owner.account.email.key, having: nil, to: Stage.email("b@example.com"),
        proving: claims[2].id,
        nil, now)
      try same(changed, .gone, "changeEmail")
      try same(try await store.find(owner.account.id), owner, "the account")
      let (first, next) = (Stage.claim(request: "one", seconds: 100), Stage.claim(request: "one", at: 100))
      try await store.addAll(first)
      try same(try await store.find(claimOf: try some(first.request), at: now.time), nil, "its request")
      try await store.addAll(next)
      try same(try await store.find(claimOf: try some(first.request), at: now.time), next, "its request, again")
    },
    Rule("an ended claim is gone, its request can be used again, and ending it again does nothing") { store in
      let (claim, other) = (Stage.claim(request: "one"), Stage.claim())
      try await store.addAll(claim, other)
      for _ in 0..<2 { try await store.end(claim.id) }
      try same(try await store.find(claim.id, at: Stage.time(1)), nil, "the claim")
      try same(try await store.find(other.id, at: Stage.time(1)), other, "another")
      try await store.addAll(Stage.claim(request: "one"))
    },
    Rule("the pages of claims contain each claim once, in the order of ids") { store in
      let claims = (0..<11).map { Stage.claim(.recovery, "n\($0)@example.com") }.sorted { $0.id < $1.id }
      for claim in claims { try await store.addAll(claim) }
      var listed: [AddressClaim] = []
      while true {
        let page = try await store.claims(after: listed.last?.id, limit: 4, at: Stage.time(1))
        listed += page
        if page.count < 4 { break }
      }
      try same(listed, claims, "claims")
    },
    Rule("a claim counts as mailed only once a mail with its current code is admitted") { store in
      for _ in 0..<MailBounds.perAddress { try await store.addAll(Stage.claim()) }
      let claim = Stage.claim(at: 1)
      try await store.addAll(claim)
      func seen(_ seconds: Int) async throws -> AddressClaim {
        try some(try await store.find(claim.id, at: Stage.time(seconds)))
      }
      func renew(_ change: (inout AddressClaim) -> Void, _ mail: MailIntent?, at seconds: Int) async throws {
        let before = try await seen(seconds)
        var next = before
        change(&next)
        next.resendAt = Stage.time(seconds + 60)
        try same(try await store.renew(next, seen: before, mail, Stage.stamp(seconds)), true, "renewed at \(seconds)")
      }
      try same(try await seen(1).isMailed, false, "when its mail was suppressed")
      let later = Int(MailBounds.span.components.seconds) + 1
      let code: (Int) -> MailIntent = { Stage.notice(.registrationCode, at: $0) }
      try await renew({ $0.generation = 2 }, code(2), at: 2)
      try same(try await seen(2).isMailed, false, "when the next mail was suppressed")
      try await renew({ ($0.generation, $0.digits) = (3, 12) }, code(later), at: later)
      try same(try await seen(later).isMailed, true, "when a mail was admitted")
      try same(try await seen(later).digits, 12, "digits")
      try await renew({ $0.generation = 4 }, nil, at: later + 1)
      try same(try await seen(later + 1).isMailed, true, "with a code for a waiting mail")
      for number in 1..<MailBounds.perAddress { try await store.addAll(Stage.claim(at: later + number)) }
      try await renew({ _ in }, code(later + 20), at: later + 20)
      try same(try await seen(later + 20).isMailed, true, "with the same code, whose repeat was suppressed")
      try await renew({ $0.generation = 5 }, code(later + 21), at: later + 21)
      try same(try await seen(later + 21).isMailed, false, "with another code, which was suppressed")
    },
    Rule("a claim is renewed only if it is still as the caller saw it, and only then its mail is added") { store in
      let claim = Stage.claim(request: "one")
      try await store.addAll(claim)
      var next = claim
      (next.generation, next.codeUntil, next.resendAt) = (2, Stage.time(2000), Stage.time(1100))
      var stale = claim
      stale.generation = 3
      var late = claim
      late.resendAt = Stage.time(61)
      for seen in [stale, late] {
        let mail = Stage.notice(.registrationCode, at: 1)
        try same(try await store.renew(next, seen: seen, mail, Stage.stamp(1)), false, "as it was not stored")
      }
      try same(try await store.find(claim.id, at: Stage.time(1)), claim, "unchanged")
      let mail = Stage.notice(.registrationCode, at: 2)
      try same(try await store.renew(next, seen: claim, mail, Stage.stamp(2)), true, "renewed")
      try same(try await store.renew(next, seen: claim, mail, Stage.stamp(2)), false, "a second time")
      try same(try await store.find(claim.id, at: Stage.time(2)), next, "as it was renewed")
      try same(try await store.mails(after: nil, limit: 9).map(\.intent.id).contains(mail.id), true, "its mail")
      try same(try await store.mails(after: nil, limit: 9).count, 2, "mails")
      var third = next
      third.generation = 3
      try same(try await store.renew(third, seen: next, nil, Stage.stamp(3)), true, "without a mail")
      try same(try await store.mails(after: nil, limit: 9).count, 2, "mails")
    },
  ]
}

/// Fails if there is no value.
func some<Value>(_ value: Value?) throws -> Value {
  guard let value else { throw Broken(description: "there is no \(Value.self)") }
  return value
}
