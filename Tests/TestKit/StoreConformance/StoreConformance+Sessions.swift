internal import Registration
import TestDoubles

extension StoreConformance {
  private typealias Stage = ClaimScene

  private static let old = SessionEpoch(stored: "old")
  private static let new = SessionEpoch(stored: "new")
  private static let hash = PasswordHash(phc: "another")

  private static func owner(_ state: Account.State = .active) -> StoredAccount {
    var account = Fixtures.account(Stage.address, state: state)
    account.account.epoch = old
    return account
  }

  /// Rules for session epochs: sign-ins are valid as long as their account keeps its epoch.
  package static let sessions: [Rule] = [
    Rule("an epoch is stored unchanged, even a missing one of an old account") { store in
      for (number, epoch) in [SessionEpoch.first, .random(), SessionEpoch(stored: nil)].enumerated() {
        var account = Fixtures.account("n\(number)@example.com")
        account.account.epoch = epoch
        _ = try await store.insert(account)
        try same(try await store.find(account.account.id)?.account.epoch.text, epoch.text, "inserted")
        account = Fixtures.account("i\(number)@example.com")
        account.account.epoch = epoch
        try same(try await store.importing([account], Stage.stamp(0)), [.imported], "importing")
        try same(try await store.find(account.account.email.key)?.account.epoch.text, epoch.text, "imported")
        let claim = Stage.claim(.changeOfEmail, "c\(number)@example.com", epoch: epoch)
        try await store.addAll(claim)
        try same(try await store.find(claim.id, at: Stage.time(0))?.epoch.text, epoch.text, "of a claim")
      }
    },
    Rule("each operation that ends sign-ins sets a new epoch and returns the account with it") { store in
      let ends: [(name: String, end: Ending)] = [
        ("setPassword", { try await $0.setPassword(of: $1, to: hash, epoch: new, Stage.stamp(1)) }),
        (
          "changePassword",
          { store, id in
            try await store.changePassword(
              of: id, from: owner().passwordHash, to: hash, epoch: new, nil, Stage.stamp(1))
          }
        ),
        (
          "recover",
          { store, id in
            let claim = Stage.claim(.recovery, of: id)
            try await store.addAll(claim)
            return try await store.recover(claim.id, of: id, to: hash, epoch: new, nil, Stage.stamp(1))
          }
        ),
        ("disable", { try await $0.setEnabled($1, false, epoch: new, Stage.stamp(1)) }),
        ("signOut, by an administrator", { try await $0.signOut($1, having: nil, epoch: new, Stage.stamp(1)) }),
        (
          "signOut, by its owner",
          { try await $0.signOut($1, having: owner().passwordHash, epoch: new, Stage.stamp(1)) }
        ),
        (
          "replaceHash, of another password",
          { store, id in
            let from = owner().passwordHash
            let isReplaced = try await store.replaceHash(of: id, from: from, to: hash, epoch: new, Stage.stamp(1))
            return isReplaced ? try await store.find(id)?.account : nil
          }
        ),
      ]
      for (name, end) in ends {
        let account = owner()
        _ = try await store.insert(account)
        let changed = try await end(store, account.account.id)
        try same(changed?.epoch, new, name)
        try same(changed?.updatedAt, Stage.time(1), "\(name): updatedAt")
        try same(try await store.find(account.account.id)?.account, changed, "\(name): stored")
        _ = try await store.delete(account.account.id, Stage.stamp(2))
      }
    },
    Rule("rehashing, confirming, noting guesses, accepting terms, changing the address and enabling keep the epoch") {
      store in
      let account = owner()
      let (id, email) = (account.account.id, account.account.email)
      _ = try await store.insert(account)
      try same(
        try await store.replaceHash(of: id, from: account.passwordHash, to: hash, epoch: nil, Stage.stamp(1)), true,
        "replaceHash")
      _ = try await store.confirm(id, at: Stage.time(2))
      _ = try await store.noteGuessed(id, Stage.stamp(3))
      let terms = AcceptedTerms(version: "1", acceptedAt: Stage.time(4))
      try same(try await store.acceptTerms(of: id, terms, having: hash, Stage.stamp(4))?.epoch, old, "acceptTerms")
      let moved = try await store.changeEmail(
        of: id, from: email.key, having: hash, to: Stage.email("new@example.com"), proving: nil, nil, Stage.stamp(5))
      guard case .changed(let changed) = moved else { throw Broken(description: "changeEmail: \(moved)") }
      try same(changed.epoch, old, "changeEmail")
      try same(try await store.setEnabled(id, true, epoch: new, Stage.stamp(6))?.epoch, old, "an enabled account")
      try same(try await store.find(id)?.account.epoch, old, "stored")
    },
    Rule("disabling an account sets a new epoch, which stays when the account is enabled again") { store in
      let account = owner()
      let id = account.account.id
      _ = try await store.insert(account)
      try same(try await store.setEnabled(id, false, epoch: new, Stage.stamp(1))?.epoch, new, "disabled")
      let later = SessionEpoch(stored: "later")
      try same(try await store.setEnabled(id, false, epoch: later, Stage.stamp(2))?.epoch, new, "a second time")
      try same(try await store.setEnabled(id, true, epoch: later, Stage.stamp(3))?.epoch, new, "enabled")
      try same(try await store.find(id)?.account.epoch, new, "stored")
    },
    Rule("an owner signs out an active account with the current hash, an administrator any; nothing else changes") {
      store in
      try same(
        try await store.signOut(Fixtures.account().account.id, having: nil, epoch: new, Stage.stamp(1)), nil, "missing")
      for state in Account.State.allCases {
        let account = owner(state)
        let id = account.account.id
        _ = try await store.insert(account)
        let claims = [Stage.claim(.recovery, of: id), Stage.claim(.changeOfEmail, "\(state)@example.com", of: id)]
        for claim in claims { try same(try await store.add(claim), .added, "\(state), \(claim.kind)") }
        let mails = try await store.mails(after: nil, limit: 99)
        let before = try await store.audit(after: 0, limit: 99).count
        try same(try await store.signOut(id, having: hash, epoch: new, Stage.stamp(1)), nil, "\(state), another hash")
        let own = try await store.signOut(id, having: account.passwordHash, epoch: new, Stage.stamp(1))
        try same(own?.epoch, state == .active ? new : nil, "\(state), its owner")
        let later = SessionEpoch(stored: "later")
        let other = try await store.signOut(id, having: nil, epoch: later, Stage.stamp(2, origin: "o"))
        var expected = account
        (expected.account.epoch, expected.account.updatedAt) = (later, Stage.time(2))
        try same(other, expected.account, "\(state), an administrator")
        try same(try await store.find(id), expected, "\(state), stored")
        let entries = try await store.audit(after: before, limit: 99)
        try same(
          entries.map(\.change), state == .active ? [.signedOut, .signedOut] : [.signedOut], "\(state), entries")
        try same(entries.last?.by, Stage.stamp(2, origin: "o").by, "\(state), requester")
        for claim in claims { try same(try await store.state(claim, at: 3), .open, "\(state), \(claim.kind)") }
        try same(try await store.mails(after: nil, limit: 99), mails, "\(state), mails")
        _ = try await store.delete(id, Stage.stamp(3))
      }
    },
  ]

  private typealias Ending = @Sendable (Accounts, AccountID) async throws -> Account?
}
