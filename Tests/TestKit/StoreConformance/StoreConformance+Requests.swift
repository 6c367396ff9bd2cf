internal import Registration
import TestDoubles

extension StoreConformance {
  static let stamp = Stamp(Fixtures.time, by: Requester(uid: 7, pid: 8))

  private static func request(_ id: String, uid: UInt32 = 7) throws -> RequestKey {
    guard let key = RequestKey(uid: uid, id: id) else { throw Broken(description: "\(id) is not a request id") }
    return key
  }

  /// Rules for the names that callers give to their registrations.
  package static let requests: [Rule] = [
    Rule("an unknown request has no account") { store in
      try same(try await store.find(try request("never heard of")), nil, "find")
    },
    Rule("a request is known once its account is inserted, and only for its user") { store in
      let account = Fixtures.account(hash: "first")
      try same(try await store.insert(account, request: try request("one"), stamp), .inserted, "insert")
      let known = KnownRequest(account: account.account, passwordHash: account.passwordHash)
      try same(try await store.find(try request("one")), known, "find")
      for other in [try request("one", uid: 8), try request("ONE"), try request("one ")] {
        try same(try await store.find(other), nil, "\(other)")
      }
    },
    Rule("inserting a second account for a known request returns the first one, whatever the address") { store in
      let account = Fixtures.account(hash: "first")
      _ = try await store.insert(account, request: try request("one"), stamp)
      let known = KnownRequest(account: account.account, passwordHash: account.passwordHash)
      for email in ["name@example.com", "other@example.com"] {
        let second = Fixtures.account(email, hash: "second")
        try same(
          try await store.insert(second, request: try request("one"), stamp), .requestKnown(known), email)
        try same(try await store.find(second.account.id), nil, "\(email) afterwards")
      }
    },
    Rule("an insertion that fails because the address is taken does not store its request") { store in
      _ = try await store.insert(Fixtures.account())
      let second = Fixtures.account(hash: "second")
      _ = try await store.insert(second, request: try request("one"), stamp)
      try same(try await store.find(try request("one")), nil, "find")
    },
    Rule("of fifty simultaneous insertions with one request, exactly one creates an account") { store in
      let answers = try await withThrowingTaskGroup(of: InsertAnswer.self) { group in
        for number in 0..<50 {
          group.addTask {
            try await store.insert(Fixtures.account("n\(number)@example.com"), request: try request("one"), stamp)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      try same(answers.filter { $0 == .inserted }.count, 1, "inserted")
      try same(try await store.list(after: nil, limit: 100).count, 1, "accounts")
    },
    Rule("a request is noted for an existing account, and a request of another account stays with that account") {
      store in
      let pending = Fixtures.account("p@example.com", state: .pending)
      let other = Fixtures.account("o@example.com")
      let stranger = Fixtures.account("s@example.com")
      try same(try await store.note(try request("a"), for: stranger.account.id), .gone, "for a missing account")
      try same(try await store.find(try request("a")), nil, "the request for a missing account")
      _ = try await store.insert(pending)
      _ = try await store.insert(other, request: try request("taken"), stamp)
      for _ in 0..<2 {
        try same(try await store.note(try request("a"), for: pending.account.id), .noted, "noted")
      }
      try same(
        try await store.find(try request("a")),
        KnownRequest(account: pending.account, passwordHash: pending.passwordHash), "found")
      let known = KnownRequest(account: other.account, passwordHash: other.passwordHash)
      try same(try await store.note(try request("taken"), for: pending.account.id), .known(known), "another account's")
      try same(try await store.find(try request("taken")), known, "another account's, afterwards")
      try same(try await store.audit(after: 0, limit: 9).count, 2, "entries of the audit")
    },
    Rule("a request keeps the password hash that it came with, and returns the account as it is now") { store in
      let account = Fixtures.account(hash: "first")
      _ = try await store.insert(account, request: try request("one"), stamp)
      let later = Stamp(Timestamp(microseconds: Fixtures.time.microseconds + 1))
      let changed = try await store.setPassword(
        of: account.account.id, to: PasswordHash(phc: "second"), later)
      let known = try await store.find(try request("one"))
      try same(known?.passwordHash, account.passwordHash, "hash")
      try same(known?.account, changed, "account")
    },
    Rule("releasing or deleting an account frees its requests") { store in
      let pending = Fixtures.account("p@example.com", state: .pending)
      let active = Fixtures.account("a@example.com")
      _ = try await store.insert(pending, request: try request("p"), stamp)
      _ = try await store.insert(active, request: try request("a"), stamp)
      _ = try await store.release(pending.account.id, seen: Fixtures.time, stamp)
      _ = try await store.delete(active.account.id, stamp)
      for name in ["p", "a"] { try same(try await store.find(try request(name)), nil, name) }
      let again = Fixtures.account("again@example.com")
      try same(try await store.insert(again, request: try request("p"), stamp), .inserted, "again")
    },
  ]
}
