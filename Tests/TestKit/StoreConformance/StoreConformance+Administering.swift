internal import Registration
import TestDoubles

extension StoreConformance {
  private static let later = Stamp(
    Timestamp(microseconds: Fixtures.time.microseconds + 1),
    by: Requester(uid: 0, pid: 1, origin: Origin("203.0.113.9 é"), door: "mail"))

  /// Rules for administrators' operations.
  package static let administering: [Rule] = [
    Rule("a pending account is neither enabled nor disabled") { store in
      let pending = Fixtures.account(state: .pending)
      _ = try await store.insert(pending)
      for isEnabled in [true, false] {
        let answer = try await store.setEnabled(pending.account.id, isEnabled, later)
        try same(answer, pending.account, "\(isEnabled)")
      }
      try same(try await store.find(pending.account.id), pending, "stored")
    },
    Rule("disabling and enabling set the state and the time of the change, and a repeat changes nothing") { store in
      let account = Fixtures.account()
      _ = try await store.insert(account)
      let id = account.account.id
      for (isEnabled, state) in [(false, Account.State.disabled), (true, .active)] {
        let changed = try await store.setEnabled(id, isEnabled, later)
        try same(changed?.state, state, "state")
        try same(changed?.updatedAt, later.time, "updatedAt")
        let again = Stamp(Timestamp(microseconds: later.time.microseconds + 9))
        try same(try await store.setEnabled(id, isEnabled, again), changed, "a second time")
        try same(try await store.find(id)?.account, changed, "stored")
      }
    },
    Rule("setting a password replaces the stored hash and updates the account's time") { store in
      let account = Fixtures.account(hash: "old")
      _ = try await store.insert(account)
      let changed = try await store.setPassword(of: account.account.id, to: PasswordHash(phc: "new"), later)
      try same(changed?.updatedAt, later.time, "updatedAt")
      let found = try await store.find(account.account.email.key)
      try same(found?.passwordHash.phc, "new", "hash")
      try same(found?.account, changed, "stored")
    },
    Rule("deleting removes an account in any state, and frees its address") { store in
      for state in Account.State.allCases {
        let account = Fixtures.account("\(state)@example.com", state: state)
        _ = try await store.insert(account)
        try same(try await store.delete(account.account.id, later), .deleted, "\(state)")
        try same(try await store.delete(account.account.id, later), .gone, "\(state), a second time")
        try same(try await store.find(account.account.email.key), nil, "\(state) afterwards")
        try same(try await store.insert(Fixtures.account("\(state)@example.com")), .inserted, "\(state) again")
      }
    },
    Rule("the pages of the list contain each account once, in the order of ids") { store in
      var ids: [AccountID] = []
      for number in 0..<25 {
        let time = Timestamp(microseconds: Fixtures.time.microseconds - Int64(number % 7) * 5_000_000)
        let account = Fixtures.account("n\(number)@example.com", time: time)
        _ = try await store.insert(account)
        ids.append(account.account.id)
      }
      var listed: [AccountID] = []
      while true {
        let page = try await store.list(after: listed.last, limit: 7)
        listed += page.map(\.account.id)
        if page.count < 7 { break }
      }
      try same(listed, ids.sorted(), "ids")
    },
    Rule("an import adds the records that it can and overwrites no account") { store in
      let there = Fixtures.account("there@example.com", hash: "theirs")
      _ = try await store.insert(there)
      let fresh = Fixtures.account("fresh@example.com", state: .disabled, hash: "foreign")
      let sameHash = Fixtures.account("THERE@example.com", hash: "theirs")
      let otherHash = Fixtures.account("there@example.com", hash: "another")
      let twice = Fixtures.account("fresh@example.com", hash: "not the first")
      let sameID = StoredAccount(
        account: Account(
          id: there.account.id, email: Fixtures.account("new@example.com").account.email, state: .active,
          createdAt: Fixtures.time, updatedAt: Fixtures.time),
        passwordHash: there.passwordHash)
      let answers = try await store.importing([otherHash, fresh, sameHash, twice, sameID], later)
      try same(answers, [.emailTaken, .imported, .present, .emailTaken, .idTaken], "answers")
      try same(try await store.find(fresh.account.email.key), fresh, "imported")
      try same(try await store.find(there.account.id), there, "the existing account")
      try same(try await store.importing([fresh], later), [.present], "a repeat")
    },
    Rule("each change makes one audit entry, in order, and a call that changes nothing makes none") { store in
      let (a, b, c) = (
        Fixtures.account("a@example.com"), Fixtures.account("b@example.com", state: .pending),
        Fixtures.account("c@example.com", state: .pending)
      )
      _ = try await store.insert(a, request: nil, later)
      _ = try await store.insert(Fixtures.account("a@example.com"), request: nil, later)
      _ = try await store.insert(b, request: nil, later)
      _ = try await store.resume(b.account.id, seen: Fixtures.time, later)
      _ = try await store.resume(b.account.id, seen: Fixtures.time, later)
      _ = try await store.activate(b.account.id, later)
      _ = try await store.activate(b.account.id, later)
      _ = try await store.insert(c, request: nil, later)
      _ = try await store.release(c.account.id, seen: later.time, later)
      _ = try await store.release(c.account.id, seen: Fixtures.time, later)
      _ = try await store.replaceHash(of: a.account.id, from: a.passwordHash, to: PasswordHash(phc: "new"), later)
      _ = try await store.replaceHash(of: a.account.id, from: a.passwordHash, to: PasswordHash(phc: "newer"), later)
      _ = try await store.setPassword(of: a.account.id, to: PasswordHash(phc: "newest"), later)
      for isEnabled in [true, false, false, true] { _ = try await store.setEnabled(a.account.id, isEnabled, later) }
      for _ in 0..<2 { _ = try await store.delete(a.account.id, later) }
      let imported = Fixtures.account("i@example.com")
      for _ in 0..<2 { _ = try await store.importing([imported], later) }
      let expected: [(AuditEntry.Change, StoredAccount)] = [
        (.registered, a), (.reserved, b), (.resumed, b), (.activated, b), (.reserved, c), (.released, c),
        (.rehashed, a), (.passwordSet, a), (.disabled, a), (.enabled, a), (.deleted, a), (.imported, imported),
      ]
      let entries = try await store.audit(after: 0, limit: 100)
      try same(entries.map(\.change), expected.map(\.0), "changes")
      try same(entries.map(\.account), expected.map(\.1.account.id), "accounts")
      try same(entries.map(\.email), expected.map(\.1.account.email.typed), "addresses")
      try same(entries.allSatisfy { $0.by == later.by && $0.time == later.time }, true, "requesters and times")
      try same(entries.map(\.number), Array(1...expected.count), "numbers")
      let page = try await store.audit(after: 3, limit: 4)
      try same(page, Array(entries[3..<7]), "a page")
    },
    Rule("password guessing at an account is noted at most once a day, and does not change the account") { store in
      let account = Fixtures.account()
      _ = try await store.insert(account, request: nil, Stamp(Fixtures.time))
      func noted(_ hours: Int, _ id: AccountID) async throws -> Bool {
        let time = Fixtures.time.advanced(by: .seconds(hours * 3600))
        return try await store.noteGuessed(id, Stamp(time, by: Requester(uid: 7, pid: 1, origin: Origin("a place"))))
      }
      try same(try await noted(1, Fixtures.account("b@example.com").account.id), false, "a missing account")
      for (hours, isNoted) in [(1, true), (2, false), (24, false), (26, true), (27, false)] {
        try same(try await noted(hours, account.account.id), isNoted, "after \(hours) hours")
      }
      let entries = try await store.audit(after: 1, limit: 9)
      try same(entries.map(\.change), [.guessed, .guessed], "changes")
      try same(entries.allSatisfy { $0.account == account.account.id && $0.by?.origin?.text == "a place" }, true, "by")
      try same(try await store.find(account.account.id), account, "the account")
    },
    Rule("an audit entry for a change by regd itself has no requester") { store in
      _ = try await store.insert(Fixtures.account(), request: nil, Stamp(Fixtures.time))
      try same(try await store.audit(after: 0, limit: 1).first?.by, nil, "by")
    },
  ]
}
