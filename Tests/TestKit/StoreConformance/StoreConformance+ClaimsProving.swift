import Registration
import TestDoubles

extension StoreConformance {
  private typealias Stage = ClaimScene

  /// Rules for proving a registration's claim, and for the other claims that this ends.
  package static let proving: [Rule] = [
    Rule("only an open registration claim can be proven") { store in
      let account = Fixtures.account("other@example.com")
      for claim in [
        Stage.claim(.recovery), Stage.claim(.changeOfEmail), Stage.claim(state: .taken), Stage.claim(state: .decoy),
        Stage.claim(state: .proven),
      ] {
        try await store.addAll(claim)
        let answer = try await store.prove(claim.id, Stage.account(claim, at: 1), Stage.stamp(1))
        try same(answer, .gone, "\(claim.kind) \(claim.state)")
        try same(try await store.state(claim, at: 1), claim.state, "its state")
      }
      try same(try await store.list(after: nil, limit: 9), [], "accounts")
      try same(try await store.find(account.account.id), nil, "another")
    },
    Rule("the first proven claim creates the account, and the other registrations and changes at its address end") {
      store in
      let claim = Stage.claim(origin: "o", request: "one")
      let own = Stage.claim(request: "two")
      let change = Stage.claim(.changeOfEmail, uid: 8)
      let recovery = Stage.claim(.recovery, uid: 8)
      let decoy = Stage.claim(uid: 9, state: .decoy)
      let elsewhere = Stage.claim(.registration, "other@example.com")
      for each in [claim, own, change, recovery, decoy, elsewhere] { try await store.addAll(each) }
      let account = Stage.account(claim, at: 5)
      try same(try await store.prove(claim.id, account, Stage.stamp(5)), .added, "prove")
      try same(try await store.find(account.account.id), account, "the account")
      let known = KnownRequest(account: account.account, passwordHash: account.passwordHash)
      try same(try await store.find(try some(claim.request)), known, "its request")
      var proven = claim
      proven.state = .proven
      try same(try await store.find(claim.id, at: Stage.time(5)), proven, "the claim")
      try same(try await store.find(claimOf: try some(claim.request), at: Stage.time(5)), proven, "by its request")
      for (each, state) in [
        (own, AddressClaim.State.taken), (change, .taken), (recovery, .open), (decoy, .decoy), (elsewhere, .open),
      ] { try same(try await store.state(each, at: 5), state, "\(each.kind) of \(each.uid)") }
      let entry = try some(try await store.audit(after: 0, limit: 9).first)
      try same(entry.change, .registered, "the entry")
      try same(Stamp(entry.time, by: entry.by), Stage.stamp(5), "its stamp")
      try same(try await store.prove(claim.id, account, Stage.stamp(6)), .taken(account), "again")
      try same(try await store.prove(own.id, Stage.account(own, at: 6), Stage.stamp(6)), .taken(account), "another")
      try same(try await store.audit(after: 0, limit: 9).count, 1, "entries")
    },
    Rule("proving a claim changes nothing if another account has its address or id") { store in
      let (claim, other) = (Stage.claim(request: "one"), Stage.claim(.registration, "new@example.com"))
      try await store.addAll(claim, other)
      let pending = Fixtures.account(Stage.address, state: .pending)
      _ = try await store.insert(pending)
      try same(try await store.prove(claim.id, Stage.account(claim, at: 1), Stage.stamp(1)), .taken(pending), "address")
      var account = Stage.account(other, at: 1)
      account = StoredAccount(
        account: Account(
          id: pending.account.id, email: other.email, state: .active, createdAt: Stage.time(1), updatedAt: Stage.time(1)
        ),
        passwordHash: account.passwordHash)
      try same(try await store.prove(other.id, account, Stage.stamp(1)), .taken(pending), "id")
      for each in [claim, other] { try same(try await store.state(each, at: 1), .open, "the claim") }
      try same(try await store.find(try some(claim.request)), nil, "its request")
      try same(try await store.audit(after: 0, limit: 9).count, 1, "entries")
    },
    Rule("releasing an account together with its claim leaves other claims open") { store in
      let (claim, other, elsewhere) = (
        Stage.claim(request: "one"), Stage.claim(uid: 8), Stage.claim(.registration, "else@example.com")
      )
      try await store.addAll(claim, other, elsewhere)
      let account = Stage.account(claim, .pending, at: 1)
      let (id, seen) = (account.account.id, Stage.time(1))
      try same(try await store.prove(claim.id, account, Stage.stamp(1)), .added, "prove")
      try same(
        try await store.release(id, seen: Stage.time(2), remembered: true, endingClaim: true, Stage.stamp(2)), false,
        "with another token")
      try same(try await store.state(claim, at: 2), .open, "the claim, after a refused release")
      try same(
        try await store.release(id, seen: seen, remembered: true, endingClaim: true, Stage.stamp(3)), true, "released")
      try same(try await store.find(claim.id, at: Stage.time(3)), nil, "the claim")
      try same(try await store.find(claimOf: try some(claim.request), at: Stage.time(3)), nil, "by its request")
      for each in [other, elsewhere] { try same(try await store.state(each, at: 3), .open, "another") }
      try same(try await store.prove(claim.id, account, Stage.stamp(4)), .gone, "proven again")
    },
    Rule("a claim that is proven for a pending account, and its rivals, stay open until the account is active") {
      store in
      let (claim, other) = (Stage.claim(request: "one"), Stage.claim(uid: 8))
      try await store.addAll(claim, other)
      let account = Stage.account(claim, .pending, at: 1)
      let (id, proof) = (account.account.id, Stage.stamp(1))
      try same(try await store.prove(claim.id, account, proof), .added, "prove")
      for each in [claim, other] { try same(try await store.state(each, at: 1), .open, "while it is pending") }
      try same(try await store.pending(after: nil, limit: 9).map(\.stored), [account], "waiting for the upstream")
      try same(try await store.prove(claim.id, account, Stage.stamp(2)), .taken(account), "again")
      try same(try await store.release(id, seen: Stage.time(1)), true, "released")
      for each in [claim, other] { try same(try await store.state(each, at: 2), .open, "when it is released") }
      try same(try await store.prove(claim.id, account, Stage.stamp(3)), .added, "once more")
      try same(try await store.activate(id, Stage.stamp(4))?.state, .active, "active")
      try same(try await store.state(claim, at: 4), .proven, "the claim")
      try same(try await store.state(other, at: 4), .taken, "the other")
      let late = Stage.claim(at: 5)
      try await store.addAll(late)
      _ = try await store.activate(id, Stage.stamp(6))
      try same(try await store.state(late, at: 6), .taken, "a later claim, after a repeated activation")
    },
    Rule("of twenty simultaneous proofs for one address, one creates the account and the other claims are taken") {
      store in
      let claims = (0..<20).map { Stage.claim(uid: UInt32(10 + $0)) }
      for claim in claims { try await store.addAll(claim) }
      let answers = try await withThrowingTaskGroup(of: (ClaimID, ProofAnswer).self) { group in
        for claim in claims {
          group.addTask { (claim.id, try await store.prove(claim.id, Stage.account(claim, at: 1), Stage.stamp(1))) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let winners = answers.filter { $0.1 == .added }.map(\.0)
      try same(winners.count, 1, "added")
      let holder = try some(try await store.find(EmailKey(Stage.address)))
      for (id, answer) in answers where !winners.contains(id) { try same(answer, .taken(holder), "another") }
      for claim in claims {
        let state = try await store.state(claim, at: 1)
        try same(state, winners.contains(claim.id) ? .proven : .taken, "a claim's state")
      }
    },
    Rule("inserting or importing an account ends the registrations at its address, unless the account is pending") {
      store in
      for state in Account.State.allCases {
        for isImported in [false, true] {
          let account = Fixtures.account("\(state)\(isImported)@example.com", state: state)
          let (claim, recovery) = (
            Stage.claim(.registration, account.account.email.typed), Stage.claim(.recovery, account.account.email.typed)
          )
          let own = Stage.claim(.registration, account.account.email.typed, of: account.account.id)
          try await store.addAll(claim, recovery, own)
          if isImported {
            try same(try await store.importing([account], Stage.stamp(1)), [.imported], "imported")
          } else {
            try same(try await store.insert(account), .inserted, "inserted")
          }
          let isPending = state == .pending
          try same(try await store.state(claim, at: 1), isPending ? .open : .taken, "\(state)")
          try same(try await store.state(own, at: 1), isPending ? .open : .proven, "\(state), its own")
          try same(try await store.state(recovery, at: 1), .open, "\(state), a recovery")
        }
      }
    },
  ]
}
