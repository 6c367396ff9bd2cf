internal import Registration
import TestDoubles

extension StoreConformance {
  private typealias Stage = ClaimScene
  private typealias Invited = InvitationScene

  /// Fails unless the audit's latest entries are these.
  private static func latest(_ store: Accounts, _ expected: [AuditEntry.Change], _ what: String) async throws {
    let entries = try await store.audit(after: 0, limit: 999)
    try same(entries.suffix(expected.count).map(\.change), expected, "\(what), the audit")
  }

  /// Rules for accounts that an administrator has to approve.
  static let approving: [Rule] = [
    Rule("a waiting account holds its address, ends the claims for it, and is recorded in the audit") { store in
      let (own, other) = (Stage.claim(), Stage.claim(uid: 8))
      try await store.addAll(own, other)
      let notice = Stage.notice(.accountWaiting, at: 1)
      let waiting = Stage.account(own, .waiting, at: 1)
      try same(try await store.prove(own.id, waiting, notice, Stage.stamp(1)), .added, "proven")
      try same(try await store.find(waiting.account.id), waiting, "found")
      try same(try await store.insert(Fixtures.account(Stage.address)), .taken(waiting), "its address")
      try same(try await store.state(own, at: 2), .proven, "its claim")
      try same(try await store.state(other, at: 2), .taken, "another claim")
      try same(try await store.find(mail: notice.id), StoredMail(notice), "the mail")
      try await latest(store, [.waiting], "proven")
      try same(try await store.pending(after: nil, limit: 9), [], "pending")
    },
    Rule("a waiting account is approved once, and its owner gets one mail") { store in
      let waiting = Invited.account(Stage.address, .waiting)
      let id = waiting.account.id
      _ = try await store.insert(waiting, request: nil, Stage.stamp(0))
      let (notice, another) = (Stage.notice(.accountApproved), Stage.notice(.accountApproved, at: 1))
      let approved = try some(try await store.approve(id, to: .active, notice, Stage.stamp(5, uid: 0)))
      try same(approved.state, .active, "state")
      try same(approved.updatedAt, Stage.time(5), "updatedAt")
      try same(try await store.find(id)?.account, approved, "found")
      try same(try await store.find(mail: notice.id), StoredMail(notice), "the mail")
      try await latest(store, [.waiting, .approved], "approved")
      try same(try await store.approve(id, to: .active, another, Stage.stamp(6)), nil, "again")
      try same(try await store.find(mail: another.id), nil, "a second mail")
      try await latest(store, [.waiting, .approved], "again")
    },
    Rule("an account that is not waiting can be neither approved nor refused") { store in
      for state in Account.State.allCases where state != .waiting {
        let account = Invited.account("\(state)@example.com", state)
        _ = try await store.insert(account)
        try same(try await store.approve(account.account.id, to: .active, nil, Stage.stamp(1)), nil, "\(state)")
        try same(try await store.refuse(account.account.id, nil, Stage.stamp(1)), false, "\(state), refused")
        try same(try await store.find(account.account.id), account, "\(state), found")
      }
      let nobody = AccountID(at: Fixtures.time)
      try same(try await store.approve(nobody, to: .active, nil, Stage.stamp(1)), nil, "a missing account")
      try same(try await store.refuse(nobody, nil, Stage.stamp(1)), false, "a missing account, refused")
    },
    Rule("approval for an upstream makes an account pending, and its owner gets the mail once it is active") { store in
      let (waiting, pending) = (Invited.account("w@example.com", .waiting), Invited.account("p@example.com", .pending))
      let id = waiting.account.id
      for account in [waiting, pending] { _ = try await store.insert(account) }
      try same(try await store.approve(id, to: .pending, nil, Stage.stamp(1))?.state, .pending, "approved")
      let found = try await store.pending(after: nil, limit: 9)
      try same(Set(found.map(\.stored.account.id)), [id, pending.account.id], "pending")
      try same(found.map(\.isClaimedElsewhere), [false, false], "leased by another regd")
      let (told, untold) = (
        Stage.notice(.accountApproved, "w@example.com"), Stage.notice(.accountApproved, "p@example.com")
      )
      try same(try await store.activate(id, approved: told, Stage.stamp(2))?.state, .active, "activated")
      _ = try await store.activate(pending.account.id, approved: untold, Stage.stamp(2))
      try same(try await store.find(mail: told.id), StoredMail(told), "the mail")
      try same(try await store.find(mail: untold.id), nil, "the mail of an account that never waited")
      try await latest(store, [.approved, .activated, .activated], "activated")
    },
    Rule("disapproving a pending account makes it wait again, if the fencing token is current") { store in
      let waiting = Invited.account(Stage.address, .waiting)
      let id = waiting.account.id
      _ = try await store.insert(waiting)
      try same(try await store.disapprove(id, seen: Fixtures.time, Stage.stamp(1)), false, "while it waits")
      _ = try await store.approve(id, to: .pending, nil, Stage.stamp(2))
      _ = try await store.putOff(id, seen: Stage.time(2), Delivery(attempts: 2, failure: .timeout, next: Stage.time(9)))
      try same(try await store.disapprove(id, seen: Fixtures.time, Stage.stamp(3)), false, "with an old token")
      try same(try await store.disapprove(id, seen: Stage.time(2), Stage.stamp(3)), true, "with the current token")
      try same(try await store.find(id)?.account.state, .waiting, "state")
      try same(try await store.find(id)?.account.updatedAt, Stage.time(3), "updatedAt")
      try await latest(store, [.approved, .waiting], "waits again")
      _ = try await store.approve(id, to: .pending, nil, Stage.stamp(4))
      try same(try await store.find(pending: id)?.delivery, nil, "its delivery")
      try same(try await store.activate(id, Stage.stamp(5))?.state, .active, "in the end")
    },
    Rule("a refused account is removed like a deleted one, and its owner still gets the mail") { store in
      let (waiting, request) = (Invited.account(Stage.address, .waiting), try some(RequestKey(uid: 7, id: "one")))
      let (first, notice) = (Stage.notice(.accountWaiting), Stage.notice(.accountRefused, at: 9))
      _ = try await store.insert(waiting, request: request, Admission(notice: first), Stage.stamp(0))
      try await store.addAll(Stage.claim(.recovery, of: waiting.account.id))
      try same(try await store.refuse(waiting.account.id, notice, Stage.stamp(9)), true, "refused")
      try same(try await store.refuse(waiting.account.id, notice, Stage.stamp(9)), false, "again")
      try same(try await store.find(waiting.account.id), nil, "found")
      try same(try await store.find(request), nil, "its request")
      try same(try await store.claims(after: nil, limit: 9, at: Stage.time(10)), [], "claims")
      try same(try await store.mails(after: nil, limit: 9), [StoredMail(notice)], "mails")
      try await latest(store, [.waiting, .refused], "refused")
      try same(try await store.insert(Fixtures.account(Stage.address)), .inserted, "its address")
      while try await store.sweep(at: Stage.time(20), addressesBefore: Stage.time(10), limit: 9) {}
      try same(try await store.audit(of: waiting.account.id, limit: 9).map(\.email), [nil, nil], "its addresses")
    },
    Rule("a waiting account can be deleted, but not recovered, changed, enabled, activated, resumed or released") {
      store in
      let waiting = Invited.account(Stage.address, .waiting)
      let (id, hash, new) = (waiting.account.id, waiting.passwordHash, PasswordHash(phc: "new"))
      _ = try await store.insert(waiting)
      let recovery = Stage.claim(.recovery, of: id)
      try await store.addAll(recovery)
      try same(try await store.recover(recovery.id, of: id, to: new, nil, Stage.stamp(1)), nil, "recover")
      try same(try await store.changePassword(of: id, from: hash, to: new, nil, Stage.stamp(1)), nil, "changePassword")
      let moved = try await store.changeEmail(
        of: id, from: waiting.account.email.key, having: hash, to: Stage.email("b@example.com"), proving: nil, nil,
        Stage.stamp(1))
      try same(moved, .gone, "changeEmail")
      for isEnabled in [true, false] {
        try same(try await store.setEnabled(id, isEnabled, Stage.stamp(1)), waiting.account, "setEnabled \(isEnabled)")
      }
      try same(try await store.activate(id, Stage.stamp(1)), nil, "activate")
      try same(try await store.resume(id, seen: Fixtures.time, Stage.stamp(1)), .gone, "resume")
      try same(try await store.release(id, seen: Fixtures.time), false, "release")
      try same(try await store.find(id), waiting, "found")
      try same(try await store.delete(id, having: hash, Stage.stamp(1)), .deleted, "delete")
    },
    Rule("the accounts of each state are listed in pages in the order of ids") { store in
      var all: [StoredAccount] = []
      for number in 0..<12 {
        let account = Invited.account("n\(number)@example.com", Account.State.allCases[number % 4], at: -number)
        _ = try await store.insert(account)
        all.append(account)
      }
      all.sort { $0.account.id < $1.account.id }
      for state in Account.State.allCases {
        let expected = all.filter { $0.account.state == state }
        try same(try await store.list(state, after: nil, limit: 9), expected, "\(state)")
        try same(try await store.list(state, after: nil, limit: 2), Array(expected[..<2]), "\(state), a page")
        let rest = try await store.list(state, after: expected[1].account.id, limit: 2)
        try same(rest, [expected[2]], "\(state), the next page")
      }
      try same(try await store.list(nil, after: nil, limit: 99), all, "any")
    },
  ]

  /// Rules for the terms that owners accept.
  static let terms: [Rule] = [
    Rule("an account keeps the terms that it came with, and the audit has their version after the registration") {
      store in
      let (active, imported) = (
        Invited.account("a@example.com", terms: "2026-1é"), Invited.account("i@example.com", terms: "old")
      )
      _ = try await store.insert(active, request: nil, Stage.stamp(0))
      _ = try await store.importing([imported], Stage.stamp(1))
      for account in [active, imported] { try same(try await store.find(account.account.id), account, "found") }
      let entries = try await store.audit(of: active.account.id, limit: 9)
      try same(entries.map(\.change), [.registered, .termsAccepted], "changes")
      try same(entries.map(\.terms), [nil, "2026-1é"], "versions")
      try same(entries.map(\.email), ["a@example.com", "a@example.com"], "addresses")
    },
    Rule("a claim keeps the terms that it came with") { store in
      let plain = Stage.claim()
      let claim = AddressClaim(
        id: plain.id, kind: .registration, email: plain.email, account: plain.account, passwordHash: plain.passwordHash,
        uid: 7, origin: nil, request: nil, language: nil, createdAt: plain.createdAt, expiresAt: plain.expiresAt,
        digits: 6, state: .open, codeUntil: plain.codeUntil, resendAt: plain.resendAt,
        terms: AcceptedTerms(version: "2026-1", acceptedAt: Stage.time(-3)))
      try await store.addAll(claim)
      try same(try await store.find(claim.id, at: Stage.time(1)), claim, "found")
      try same(try await store.claims(after: nil, limit: 9, at: Stage.time(1)), [claim], "listed")
    },
    Rule("the owner of an active account accepts a version of the terms once, with the current password") { store in
      let account = Invited.account(Stage.address, terms: "1")
      let (id, hash) = (account.account.id, account.passwordHash)
      _ = try await store.insert(account, request: nil, Stage.stamp(0))
      func accept(_ version: String, _ seconds: Int, having hash: PasswordHash = hash) async throws -> Account? {
        let terms = AcceptedTerms(version: version, acceptedAt: Stage.time(seconds))
        return try await store.acceptTerms(of: id, terms, having: hash, Stage.stamp(seconds))
      }
      try same(try await accept("2", 1, having: PasswordHash(phc: "another")), nil, "with another password")
      try same(try await accept("1", 2), account.account, "the version that it has")
      let accepted = try some(try await accept("2", 3))
      try same(accepted.terms, AcceptedTerms(version: "2", acceptedAt: Stage.time(3)), "accepted")
      try same(accepted.updatedAt, Stage.time(3), "updatedAt")
      try same(try await accept("2", 4), accepted, "again")
      try same(try await store.find(id)?.account, accepted, "found")
      let versions = try await store.audit(of: id, limit: 9).filter { $0.change == .termsAccepted }.map(\.terms)
      try same(versions, ["1", "2"], "entries")
      _ = try await store.setEnabled(id, false, Stage.stamp(5))
      try same(try await accept("3", 6), nil, "of a disabled account")
    },
  ]
}
