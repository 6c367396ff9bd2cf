import TestDoubles
import Testing

@testable import Registration

@Suite("Sign-in by the upstream")
struct NetworkSignInTests {
  private let upstreamID = "0190a6c1-2f00-4abc-8def-0123456789ab"

  @Test("a user whom the upstream accepts is signed in, and the upstream is asked with the registered address")
  func accepted() async throws {
    let door = Doorway()
    let account = try await door.has()
    await door.upstream.set("name@example.com", Doorway.password)
    #expect(await door.signIn("NAME@example.com") == .signedIn(account))
    #expect(await door.upstream.addresses == ["Name@example.com"])
    #expect(await door.hasher.taken() == .init(verified: 1))
    #expect(try await door.changes() == [.registered])
  }

  @Test("while the upstream answers, the store's hash does not count")
  func authority() async throws {
    for offline in SignInAuthority.Offline.allCases {
      let door = Doorway(offline)
      try await door.has()
      #expect(await door.signIn() == .refused(.rejected))
      await door.upstream.set("name@example.com", "another phrase")
      #expect(await door.signIn() == .refused(.rejected))
      #expect(await door.signIn("name@example.com", "another phrase").account != nil)
    }
  }

  @Test("a password that was changed upstream replaces the stored password")
  func remembered() async throws {
    let door = Doorway(.cached)
    try await door.has()
    await door.upstream.set("name@example.com", "another phrase")
    #expect(await door.signIn("name@example.com", "another phrase").account?.email.typed == "Name@example.com")
    #expect(try await door.hash() == "plain:another phrase")
    #expect(try await door.changes() == [.registered, .rehashed])
    await door.upstream.conducts(.fails(.offline))
    #expect(await door.signIn("name@example.com", "another phrase").account != nil)
    #expect(await door.signIn() == .obstructed(.network(.offline)))
  }

  @Test("sign-ins end when the upstream accepts another password, but not after a wrong one or a renewed hash")
  func ended() async throws {
    let door = Doorway(.cached, generation: 1)
    try await door.has()
    await door.upstream.set("name@example.com", Doorway.password)
    let first = await door.signIn()
    #expect(try await door.hash() == "plain1:a fine phrase")
    #expect(try await door.holds(first))
    await door.upstream.set("name@example.com", "another phrase")
    // the former password is forgotten, and the upstream has not accepted another password yet
    #expect(await door.signIn() == .refused(.rejected))
    #expect(try await door.holds(first))
    let other = await door.signIn("name@example.com", "another phrase")
    #expect(try await !door.holds(first))
    #expect(try await door.holds(other))
    await door.upstream.conducts(.fails(.offline))
    #expect(await door.signIn("name@example.com", "another phrase") == other, "the cached hash has the same epoch")
  }

  @Test("an account that a sign-in adopts has a separate epoch, because its id may have been used before")
  func adoptedAnew() async throws {
    let door = Doorway()
    await door.upstream.set("name@example.com", Doorway.password)
    let first = await door.signIn()
    #expect(try await door.holds(first))
    let account = try #require(first.account)
    _ = try await door.store.delete(account.id, Stamp(Fixtures.time))
    let again = await door.signIn()
    #expect(try await door.holds(again))
    #expect(again.account?.epoch != account.epoch && account.epoch != .first)
  }

  @Test("an outdated hash is renewed, and an unreadable hash is replaced")
  func renewed() async throws {
    for hash in ["plain:a fine phrase", "damaged"] {
      let door = Doorway(generation: 1)
      try await door.has(hash: hash)
      await door.upstream.set("name@example.com", Doorway.password)
      #expect(await door.signIn().account != nil)
      #expect(try await door.hash() == "plain1:a fine phrase")
    }
  }

  @Test("a password that the upstream now rejects is forgotten and cannot be used while the upstream is away")
  func forgotten() async throws {
    let door = Doorway(.cached)
    try await door.has()
    #expect(await door.signIn() == .refused(.rejected))
    #expect(await door.hasher.taken() == .init(verified: 1, hashed: 1))
    let first = try #require(await door.hash())
    // 32 bytes in hexadecimal, and no two are equal
    #expect(first.count == "plain:".count + 64 && first.dropFirst(6).allSatisfy(\.isHexDigit))
    await door.upstream.conducts(.fails(.timeout))
    #expect(await door.signIn() == .obstructed(.network(.timeout)))
    let other = Doorway()
    try await other.has()
    _ = await other.signIn()
    #expect(try await other.hash() != first)
  }

  @Test("a wrong password does not change the hash")
  func wrong() async throws {
    let door = Doorway(.cached)
    try await door.has()
    await door.upstream.set("name@example.com", Doorway.password)
    #expect(await door.signIn("name@example.com", "wrong") == .refused(.rejected))
    #expect(try await door.hash() == "plain:a fine phrase")
    #expect(try await door.changes() == [.registered])
  }

  @Test("an account that only the upstream has is adopted once, and the audit names the caller")
  func adopted() async throws {
    let door = Doorway(.cached)
    await door.upstream.set("name@example.com", "short", id: upstreamID)
    let account = try #require(await door.signIn("Name@example.com", "short").account)
    #expect(account.id.description == upstreamID)
    #expect(account.email.typed == "Name@example.com")
    #expect(try await door.store.find(account.id)?.account == account)
    let entries = try await door.store.audit(after: 0, limit: 10)
    #expect(entries.map(\.change) == [.imported])
    #expect(entries.map(\.by) == [Doorway.requester])
    await door.upstream.conducts(.fails(.offline))
    #expect(await door.signIn("NAME@example.com", "short") == .signedIn(account))
  }

  @Test("an upstream's id that is malformed or belongs to another account is not used")
  func otherID() async throws {
    let door = Doorway()
    let holder = try await door.has("somebody@example.com")
    for (email, id) in [("one@example.com", "7"), ("two@example.com", holder.id.description)] {
      await door.upstream.set(email, Doorway.password, id: id)
      let account = try #require(await door.signIn(email).account)
      #expect(account.id.description != id)
      #expect(await door.signIn(email) == .signedIn(account))
    }
    #expect(try await door.store.find(holder.id)?.account == holder)
  }

  @Test("fifty simultaneous adoptions of one address create one account")
  func adoptedAtOnce() async throws {
    let door = Doorway()
    await door.upstream.set("name@example.com", Doorway.password)
    let outcomes = await withTaskGroup(of: SignInOutcome.self) { group in
      for _ in 0..<50 { group.addTask { await door.signIn() } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(outcomes.map(\.account?.id)).count == 1 && outcomes.allSatisfy { $0.account != nil })
    #expect(try await door.changes() == [.imported])
  }

  @Test("a sign-in after a change sees the change, even if it shares an answer that was asked for before the change")
  func changedMeanwhile() async throws {
    let staff = try #require(GroupName("staff"))
    typealias Change = @Sendable (MemoryStore, AccountID) async throws -> Void
    let changes: [Change] = [
      { _ = try await $0.delete($1, Stamp(Fixtures.time)) },
      { _ = try await $0.setEnabled($1, false, Stamp(Fixtures.time)) },
      { _ = try await $0.changeGroups(of: $1, adding: [staff], removing: [], Stamp(Fixtures.time)) },
    ]
    for (number, change) in changes.enumerated() {
      let door = Doorway()
      let account = try await door.has()
      await door.upstream.set("name@example.com", Doorway.password)
      await door.upstream.hold()
      async let before = door.signIn()
      await door.upstream.reached()
      try await change(door.store, account.id)
      async let after = door.signIn()
      while door.registrar.authenticator.guesses.joiners < 1 { await Task.yield() }
      await door.upstream.open()
      _ = await before
      let outcome = await after
      #expect(await door.upstream.requests.count == 1)
      switch number {
      case 0: #expect(outcome == .refused(.rejected))
      case 1: #expect(outcome == .refused(.disabled))
      default: #expect(outcome.account?.groups.names == [staff])
      }
    }
  }

  @Test("a disabled account stays disabled, and a pending account keeps its hash, whatever the upstream answers")
  func states() async throws {
    let door = Doorway(.cached, generation: 1)
    try await door.has("disabled@example.com", .disabled)
    try await door.has("pending@example.com", .pending)
    for password in [Doorway.password, "another phrase"] {
      for email in ["disabled@example.com", "pending@example.com"] { await door.upstream.set(email, password) }
      #expect(await door.signIn("disabled@example.com", password) == .refused(.disabled))
      #expect(await door.signIn("pending@example.com", password) == .refused(.pending))
    }
    #expect(try await door.hash(of: "disabled@example.com") == "plain1:another phrase")
    #expect(await door.signIn("pending@example.com") == .refused(.pending), "the upstream may not have the account yet")
    #expect(await door.signIn("pending@example.com", "a third phrase") == .refused(.rejected))
    await door.upstream.conducts(.fails(.offline))
    #expect(await door.signIn("pending@example.com") == .refused(.pending))
    #expect(try await door.hash(of: "pending@example.com") == "plain:a fine phrase")
    #expect(try await door.store.find(EmailKey("pending@example.com"))?.account.state == .pending)
  }

  @Test("while the upstream is away, a sign-in returns that failure, or the cached password is accepted")
  func away() async throws {
    for offline in SignInAuthority.Offline.allCases {
      let door = Doorway(offline)
      let account = try await door.has()
      for failure in [NetworkFailure.offline, .throttled(retryAfterSeconds: 2), .timeout, .rejected, .untrusted] {
        await door.upstream.conducts(.fails(failure))
        let isKnown = offline == .cached && failure.isWorthRepeating
        #expect(await door.signIn() == (isKnown ? .signedIn(account) : .obstructed(.network(failure))))
        #expect(await door.signIn("name@example.com", "wrong") == .obstructed(.network(failure)))
        #expect(await door.signIn("nobody@example.com") == .obstructed(.network(failure)))
      }
      #expect(try await door.changes() == [.registered])
    }
  }

  @Test("without an upstream, a sign-in fails as offline")
  func noUpstream() async throws {
    let door = Doorway(.refuse)
    let registrar = Registrar(
      rules: door.registrar.rules, store: door.store.accounts, hasher: door.hasher, network: nil, time: FixedTime(),
      signInAuthority: .network(offline: .refuse))
    try await door.has()
    #expect(
      await registrar.signIn(
        email: "name@example.com", password: Fixtures.password(Doorway.password), by: Doorway.requester)
        == .obstructed(.network(.offline)))
  }
}
