internal import Registration
import TestDoubles

extension StoreConformance {
  private static func stamp(_ seconds: Int, origin: String? = nil) -> Stamp {
    let by = origin.map { Requester(uid: 7, pid: 8, origin: Origin($0)) }
    return Stamp(Fixtures.time.advanced(by: .seconds(seconds)), by: by)
  }

  private static func request(_ id: String, uid: UInt32 = 7) throws -> RequestKey {
    guard let key = RequestKey(uid: uid, id: id) else { throw Broken(description: "\(id) is not a request id") }
    return key
  }

  /// Reserves a pending account under these requests, and releases (removes) it again.
  @discardableResult
  private static func release(
    _ account: StoredAccount, _ requests: [RequestKey], _ store: Accounts, remembered: Bool = true,
    origin: String? = nil, at seconds: Int = 0
  ) async throws -> ReleasedRegistration {
    _ = try await store.insert(account, request: requests.first, stamp(seconds, origin: origin))
    for request in requests.dropFirst() { _ = try await store.note(request, for: account.account.id) }
    try same(
      try await store.release(
        account.account.id, seen: account.account.updatedAt, remembered: remembered, stamp(seconds)), true, "released")
    return ReleasedRegistration(
      id: account.account.id, email: account.account.email, passwordHash: account.passwordHash)
  }

  /// Rules for the memory of released registrations, and of the times when hashes were confirmed.
  static let remembering: [Rule] = [
    Rule("a released registration is remembered for each of its requests, if the release asks for it") { store in
      let account = Fixtures.account("Name@example.com", state: .pending, hash: "first")
      let key = account.account.email.key
      try await release(account, [try request("forgotten")], store, remembered: false)
      try same(try await store.released(try request("forgotten"), key, at: Fixtures.time), [], "not asked for")
      let released = try await release(account, [try request("one"), try request("two", uid: 8)], store)
      for request in [try request("one"), try request("two", uid: 8)] {
        try same(try await store.released(request, key, at: Fixtures.time), [released], "\(request)")
        try same(try await store.find(request), nil, "the request is free")
      }
      for other in [try request("one", uid: 8), try request("ONE"), try request("two")] {
        try same(try await store.released(other, key, at: Fixtures.time), [], "\(other)")
      }
      let another = EmailKey("other@example.com")
      try same(try await store.released(try request("one"), another, at: Fixtures.time), [], "another address")
    },
    Rule("the last three released registrations of a request are returned once each, the latest first") { store in
      var released: [ReleasedRegistration] = []
      for number in 0..<4 {
        let account = Fixtures.account("Name\(number)@example.com", state: .pending, hash: "hash \(number)")
        let named = StoredAccount(
          account: Account(
            id: account.account.id,
            email: EmailAddress(stored: account.account.email.typed, key: EmailKey("name@example.com")),
            state: .pending, createdAt: Fixtures.time, updatedAt: Fixtures.time), passwordHash: account.passwordHash)
        released.append(try await release(named, [try request("one")], store, at: number))
      }
      let key = EmailKey("name@example.com")
      let given = try await store.released(try request("one"), key, at: Fixtures.time)
      try same(given, released[1...].reversed(), "the last three")
      // a caller that still has the id of one of them inserts it again
      let again = StoredAccount(
        account: Account(
          id: released[1].id, email: released[1].email, state: .pending, createdAt: Fixtures.time,
          updatedAt: Fixtures.time), passwordHash: released[1].passwordHash)
      _ = try await store.insert(again, request: try request("one"), stamp(5))
      try same(
        try await store.released(try request("one"), key, at: Fixtures.time), given, "after an insertion")
      _ = try await store.release(again.account.id, seen: Fixtures.time, remembered: true, stamp(6))
      let after = try await store.released(try request("one"), key, at: Fixtures.time)
      try same(after, [released[1], released[3], released[2]], "released once more")
    },
    Rule("an insertion reports a release that was made after the look-up, and adds nothing") { store in
      let key = EmailKey("name@example.com")
      let (one, other) = (try request("one"), try request("other"))
      let first = try await release(Fixtures.account("name@example.com", state: .pending), [one], store)
      let last = try await release(Fixtures.account("Name@example.com", state: .pending), [one], store)
      let account = Fixtures.account("name@example.com", state: .pending)
      for seen in [[], [first.id]] {
        let answer = try await store.insert(account, request: one, Admission(releases: seen), stamp(1))
        try same(answer, .releasedMeanwhile(last.id), "\(seen.count) seen")
        try same(try await store.find(key), nil, "the address")
        try same(try await store.find(one), nil, "the request")
      }
      try same(
        try await store.released(one, key, at: Fixtures.time).map(\.id), [last.id, first.id], "what is remembered")
      try same(try await store.audit(after: 4, limit: 9).count, 0, "entries of the audit")
      let holder = Fixtures.account("name@example.com", state: .pending)
      try same(
        try await store.insert(holder, request: other, Admission(releases: []), stamp(1)), .inserted, "another request")
      try same(
        try await store.insert(account, request: one, Admission(releases: []), stamp(1)), .taken(holder), "when taken")
      try same(
        try await store.insert(account, request: other, Admission(releases: []), stamp(1)),
        .requestKnown(KnownRequest(account: holder.account, passwordHash: holder.passwordHash)), "when known")
      _ = try await store.release(holder.account.id, seen: Fixtures.time, remembered: false, stamp(2))
      let again = try await store.insert(account, request: one, Admission(releases: [last.id]), stamp(3))
      try same(again, .inserted, "when the last one was seen")
    },
    Rule("a released registration is forgotten after its lifetime, and when an account at its address is deleted") {
      store in
      let account = Fixtures.account(state: .pending)
      let key = account.account.email.key
      let released = try await release(account, [try request("one")], store)
      let end = Fixtures.time.advanced(by: ReleasedRegistration.lifetime)
      try same(try await store.released(try request("one"), key, at: end), [released], "to the last moment")
      let after = end.advanced(by: .microseconds(1))
      try same(try await store.released(try request("one"), key, at: after), [], "after it")
      let later = Fixtures.account("later@example.com", state: .pending)
      let week = Int(ReleasedRegistration.lifetime.components.seconds)
      try await release(later, [try request("two")], store, at: week + 1)
      try same(try await store.released(try request("one"), key, at: Fixtures.time), [], "removed by a later release")
      let holder = Fixtures.account("LATER@example.com")
      _ = try await store.insert(holder)
      _ = try await store.delete(holder.account.id, stamp(week + 2))
      try same(
        try await store.released(try request("two"), later.account.email.key, at: stamp(week + 2).time), [], "deleted")
    },
    Rule("beyond the bound for a user, the oldest releases of the origin with the most are forgotten, and no others") {
      store in
      let other = Fixtures.account("other@example.com", state: .pending)
      let others = try await release(other, [try request("others", uid: 8)], store)
      let few = Fixtures.account("few@example.com", state: .pending)
      let first = try await release(few, [try request("few")], store, origin: "few")
      let account = Fixtures.account(state: .pending)
      for number in 0...(ReleasedRegistration.mostPerUser / 100) {
        // a hundred requests of one account count as a hundred remembered releases
        try await release(
          account, try (0..<100).map { try request("\(number) \($0)") }, store, origin: "many", at: number)
      }
      let key = account.account.email.key
      for name in ["0 0", "0 99"] {
        try same(try await store.released(try request(name), key, at: Fixtures.time), [], name)
      }
      for name in ["2 0", "2 99", "\(ReleasedRegistration.mostPerUser / 100) 0"] {
        try same(try await store.released(try request(name), key, at: Fixtures.time).count, 1, name)
      }
      let kept = try await store.released(try request("few"), few.account.email.key, at: Fixtures.time)
      try same(kept, [first], "the oldest release, the only one of its origin")
      let elsewhere = try await store.released(
        try request("others", uid: 8), other.account.email.key, at: Fixtures.time)
      try same(elsewhere, [others], "another user's")
    },
    Rule("a hash is confirmed as of its last insertion, replacement or acceptance, and a refusal removes that time") {
      store in
      var account = Fixtures.account()
      let id = account.account.id
      account.confirmedAt = nil
      _ = try await store.insert(account)
      try same(try await store.find(id), account, "inserted")
      try same(try await store.confirm(Fixtures.account().account.id, at: Fixtures.time), false, "a missing account's")
      for (time, then) in [(5, 5), (3, 5), (9, 9), (nil, nil), (nil, nil), (2, 2)] as [(Int?, Int?)] {
        try same(try await store.confirm(id, at: time.map { stamp($0).time }), true, "confirm")
        account.confirmedAt = then.map { stamp($0).time }
        try same(try await store.find(id), account, "confirmed at \(time.map { "\($0)" } ?? "no time")")
      }
      try same(try await store.audit(after: 0, limit: 9).count, 1, "entries of the audit")
      _ = try await store.confirm(id, at: nil)
      _ = try await store.replaceHash(of: id, from: account.passwordHash, to: PasswordHash(phc: "new"), stamp(20))
      try same(try await store.find(id)?.confirmedAt, stamp(20).time, "replaced")
      _ = try await store.confirm(id, at: nil)
      _ = try await store.setPassword(of: id, to: PasswordHash(phc: "newer"), stamp(21))
      try same(try await store.find(id)?.confirmedAt, stamp(21).time, "set")
      let imported = Fixtures.account("i@example.com")
      _ = try await store.importing([imported], stamp(22))
      try same(try await store.find(imported.account.id)?.confirmedAt, Fixtures.time, "imported")
    },
    Rule("a new hash and a refusal are stored even if the caller is cancelled") { store in
      let account = Fixtures.account(hash: "old")
      _ = try await store.insert(account)
      let id = account.account.id
      let isDone = await withTaskGroup(of: Bool.self) { group in
        group.addTask {
          withUnsafeCurrentTask { $0?.cancel() }
          let isReplaced = try? await store.replaceHash(
            of: id, from: account.passwordHash, to: PasswordHash(phc: "new"), stamp(1))
          let isConfirmed = try? await store.confirm(id, at: nil)
          return isReplaced == true && isConfirmed == true
        }
        return await group.next()
      }
      try same(isDone, true, "done")
      let found = try await store.find(id)
      try same(found?.passwordHash.phc, "new", "hash")
      try same(found?.confirmedAt, nil, "confirmed")
    },
  ]
}
