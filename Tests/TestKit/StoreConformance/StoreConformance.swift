package import Registration
import TestDoubles

/// The promises of every `Accounts`.
package enum StoreConformance {
  package typealias Rule = ConformanceRule<Accounts>

  package static let rules =
    registering + requests + administering + remembering + addingClaims + unmailed + guessing + proving + owning
    + mailing + mailBounds
    + erasing
    + inviting + holding + invitedAddresses + approving + registrants + terms + groups + sessions + auditTree

  package static let registering: [Rule] = [
    Rule("no account is found by an unknown key or an unknown id") { store in
      try same(try await store.find(EmailKey("nobody@example.com")), nil, "by key")
      try same(try await store.find(Fixtures.account().account.id), nil, "by id")
    },
    Rule("a change to a missing account reports that there is no account") { store in
      let stranger = Fixtures.account()
      try same(
        try await store.setPassword(of: stranger.account.id, to: stranger.passwordHash, stamp), nil, "setPassword")
      try same(try await store.setEnabled(stranger.account.id, false, stamp), nil, "setEnabled")
      try same(try await store.delete(stranger.account.id, stamp), .gone, "delete")
      try same(try await store.release(stranger.account.id, seen: Fixtures.time), false, "release")
      let later = Timestamp(microseconds: Fixtures.time.microseconds + 1)
      try same(try await store.resume(stranger.account.id, seen: Fixtures.time, at: later), .gone, "resume")
      try same(try await store.activate(stranger.account.id, at: Fixtures.time), nil, "activate")
      let isReplaced = try await store.replaceHash(
        of: stranger.account.id, from: stranger.passwordHash, to: PasswordHash(phc: "new"), at: Fixtures.time)
      try same(isReplaced, false, "replaceHash")
    },
    Rule("an inserted account is found unchanged by key and by id, in every state") { store in
      for state in Account.State.allCases {
        let account = Fixtures.account("Jürgen+\(state.rawValue)@example.com", state: state)
        try same(try await store.insert(account), .inserted, "insert")
        try same(try await store.find(account.account.email.key), account, "by key")
        try same(try await store.find(account.account.id), account, "by id")
      }
    },
    Rule("inserting a second account with the same key returns the first one, which stays unchanged") { store in
      let first = Fixtures.account("Name@example.com", hash: "first")
      let second = Fixtures.account("NAME@example.com", hash: "second")
      try same(try await store.insert(first), .inserted, "first")
      try same(try await store.insert(second), .taken(first), "second")
      try same(try await store.find(first.account.email.key), first, "afterwards")
      try same(try await store.find(second.account.id), nil, "the second")
    },
    Rule("of fifty simultaneous insertions with one key, one succeeds and the others get its account") { store in
      let answers = try await withThrowingTaskGroup(of: InsertAnswer.self) { group in
        for _ in 0..<50 { group.addTask { try await store.insert(Fixtures.account("race@example.com")) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      try same(answers.filter { $0 == .inserted }.count, 1, "inserted")
      let holder = try await store.find(EmailKey("race@example.com"))
      try same(
        answers.filter { $0 != .inserted }.allSatisfy { $0 == holder.map(InsertAnswer.taken) }, true, "the others")
    },
    Rule("keys that only a collation considers equal belong to different accounts") { store in
      let keys = ["strasse@example.com", "straße@example.com", "STRASSE@example.com", "strasse@example.com "]
      for key in keys {
        var account = Fixtures.account()
        account = StoredAccount(
          account: Account(
            id: AccountID(at: Fixtures.time), email: EmailAddress(stored: key, key: EmailKey(key)), state: .active,
            createdAt: Fixtures.time, updatedAt: Fixtures.time),
          passwordHash: account.passwordHash)
        try same(try await store.insert(account), .inserted, key)
      }
    },
    Rule("activating a pending account makes it active, and a repeat returns the same account") { store in
      let pending = Fixtures.account(state: .pending)
      let later = Timestamp(microseconds: Fixtures.time.microseconds + 5)
      _ = try await store.insert(pending)
      let active = try await store.activate(pending.account.id, at: later)
      try same(active?.state, .active, "state")
      try same(active?.updatedAt, later, "updatedAt")
      let again = try await store.activate(pending.account.id, at: Timestamp(microseconds: 0))
      try same(again, active, "a second time")
      try same(try await store.find(pending.account.id)?.account, active, "stored")
    },
    Rule("a disabled account is not activated") { store in
      let disabled = Fixtures.account(state: .disabled)
      _ = try await store.insert(disabled)
      try same(try await store.activate(disabled.account.id, at: Fixtures.time), nil, "activate")
      try same(try await store.find(disabled.account.id), disabled, "stored")
    },
    Rule("activating a pending account that an administrator created as disabled makes it disabled") { store in
      var pending = Fixtures.account(state: .pending)
      pending.account.epoch = .firstOfDisabled
      let id = pending.account.id
      _ = try await store.insert(pending)
      let disabled = try await store.activate(id, at: Fixtures.time)
      try same(disabled?.state, .disabled, "state")
      try same(try await store.activate(id, at: Fixtures.time), disabled, "a second time")
      try same(try await store.find(id)?.account, disabled, "stored")
      try same(
        try await store.audit(after: 0, limit: 9).map(\.change), [.reserved, .activated, .disabled], "the audit")
    },
    Rule("releasing a pending account frees its address, and no account in another state is released") { store in
      let pending = Fixtures.account("p@example.com", state: .pending)
      _ = try await store.insert(pending)
      try same(try await store.release(pending.account.id, seen: Fixtures.time), true, "pending")
      try same(try await store.release(pending.account.id, seen: Fixtures.time), false, "a second time")
      for state in Account.State.allCases where state != .pending {
        let account = Fixtures.account("\(state)@example.com", state: state)
        _ = try await store.insert(account)
        try same(try await store.release(account.account.id, seen: Fixtures.time), false, "\(state)")
        try same(try await store.find(account.account.id), account, "\(state) afterwards")
        try same(try await store.insert(Fixtures.account("\(state)@example.com")), .taken(account), "its address")
      }
      try same(try await store.insert(Fixtures.account("p@example.com")), .inserted, "the address again")
    },
    Rule("the caller that reserved a pending account cannot release it after another caller resumed it") { store in
      let pending = Fixtures.account(state: .pending)
      let (id, seen) = (pending.account.id, pending.account.updatedAt)
      let later = Timestamp(microseconds: seen.microseconds + 1)
      _ = try await store.insert(pending)
      try same(try await store.resume(id, seen: later, at: seen), .gone, "resume with another token")
      try same(try await store.resume(id, seen: seen, at: later), .resumed, "resume")
      try same(try await store.resume(id, seen: seen, at: later), .gone, "resume a second time")
      try same(try await store.release(id, seen: seen), false, "release by the first")
      try same(try await store.find(id)?.account.updatedAt, later, "updatedAt")
      try same(try await store.release(id, seen: later), true, "release by the second")
    },
    Rule("only a pending account is resumed") { store in
      for state in Account.State.allCases {
        let account = Fixtures.account("\(state)@example.com", state: state)
        let later = Timestamp(microseconds: Fixtures.time.microseconds + 1)
        _ = try await store.insert(account)
        let answer = try await store.resume(account.account.id, seen: Fixtures.time, at: later)
        try same(answer, state == .pending ? .resumed : .gone, "\(state)")
        var expected = account
        if state == .pending { expected.account.updatedAt = later }
        try same(try await store.find(account.account.id), expected, "\(state) afterwards")
      }
    },
    Rule("a hash is replaced only if it is still the hash that the caller read") { store in
      let account = Fixtures.account(hash: "old")
      let later = Timestamp(microseconds: Fixtures.time.microseconds + 1)
      _ = try await store.insert(account)
      let (id, old, new) = (account.account.id, account.passwordHash, PasswordHash(phc: "new"))
      try same(try await store.replaceHash(of: id, from: new, to: old, at: later), false, "from another hash")
      try same(try await store.replaceHash(of: id, from: old, to: new, at: later), true, "from the hash that was read")
      try same(try await store.replaceHash(of: id, from: old, to: new, at: later), false, "a second time")
      let found = try await store.find(id)
      try same(found?.passwordHash, new, "hash")
      try same(found?.account.updatedAt, later, "updatedAt")
    },
    Rule("pending accounts, and no others, are listed in pages in the order of ids") { store in
      let states: [Account.State] = [.pending, .active, .pending, .disabled, .pending]
      var pending: [StoredAccount] = []
      for (index, state) in states.enumerated() {
        let time = Timestamp(microseconds: Fixtures.time.microseconds - Int64(index) * 1_000_000)
        let account = Fixtures.account("n\(index)@example.com", state: state, time: time)
        _ = try await store.insert(account)
        if state == .pending { pending.append(account) }
      }
      pending.sort { $0.account.id < $1.account.id }
      try same(try await store.pending(after: nil, limit: 10).map(\.stored), pending, "all")
      try same(try await store.pending(after: nil, limit: 2).map(\.stored), Array(pending[..<2]), "the first page")
      let second = try await store.pending(after: pending[1].account.id, limit: 2)
      try same(second.map(\.stored), [pending[2]], "the second page")
      _ = try await store.activate(pending[0].account.id, Stamp(Fixtures.time))
      let others = try await store.pending(after: nil, limit: 10)
      try same(others.map(\.stored), Array(pending[1...]), "without the activated account")
    },
    Rule("a health check of an intact store succeeds") { store in try await store.check() },
  ]
}
