import RegdProcesses
import Registration
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "PostgreSQL: concurrent commits",
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"), .timeLimit(.minutes(10)))
struct SideBySideTests {
  private typealias Change = @Sendable (any StoreUnderTest, Before) async throws -> Bool

  /// The rows that the changes are about. The held commit concerns none of them.
  private struct Before: Sendable {
    let active = Fixtures.account("active@example.com", hash: "old")
    let pending = Fixtures.account("pending@example.com", state: .pending)
    let guessed = ClaimCase.claim("guessed@example.com")
    let proven = ClaimCase.claim("proven@example.com", request: "proven")
    let mail: MailIntent

    init(_ store: any StoreUnderTest) async throws {
      mail = ClaimCase.mail(proven)
      _ = try await store.insert(active)
      _ = try await store.insert(pending)
      _ = try await store.add(guessed)
      _ = try await store.add(proven, mail, ClaimCase.stamp())
    }
  }

  private static let changes: [String: Change] = [
    "registered": { store, _ in
      let account = Fixtures.account("new@example.com")
      return try await store.insert(account, request: RequestKey(uid: 7, id: "r"), ClaimCase.stamp()) == .inserted
    },
    "activated": { store, before in
      try await store.activate(before.pending.account.id, ClaimCase.stamp(1)) != nil
    },
    "released": { store, before in
      let pending = before.pending.account
      return try await store.release(pending.id, seen: pending.updatedAt, remembered: true, ClaimCase.stamp(1))
    },
    "another password": { store, before in
      try await store.setPassword(of: before.active.account.id, to: PasswordHash(phc: "new"), ClaimCase.stamp(1)) != nil
    },
    "deleted": { store, before in
      try await store.delete(before.active.account.id, ClaimCase.stamp(1)) == .deleted
    },
    "imported": { store, _ in
      try await store.importing([Fixtures.account("i@example.com")], ClaimCase.stamp(1)) == [.imported]
    },
    "claimed": { store, _ in try await store.add(ClaimCase.claim("new@example.com")) == .added },
    "guessed": { store, before in
      try await store.accounts.guess(before.guessed.id, ClaimCase.wrong, ClaimCase.stamp(1)) == .wrong(attemptsLeft: 4)
    },
    "proven": { store, before in
      let proven = ClaimCase.account(before.proven)
      return try await store.prove(before.proven.id, proven, ClaimCase.stamp(1)) == .added
    },
    "leased": { store, before in try await store.lease(mail: before.mail.id) != nil },
    "mailed": { store, before in try await store.end(mail: before.mail.id, .sent, reason: nil) },
    "swept": { store, _ in
      let end = Fixtures.time.advanced(by: .seconds(90_000))
      return try await store.accounts.sweep(at: end, addressesBefore: Fixtures.time, limit: 9) == false
    },
  ]

  /// If all changes took a common lock, the lock would block each of them until the test ends.
  @Test("a change does not wait for a commit that concerns something else", arguments: changes.keys.sorted())
  func alone(_ name: String) async throws {
    let change = try #require(Self.changes[name])
    try await withDatabase { database in
      let proxied = try ProxiedDatabase(database)
      let (one, other) = (try await opened(proxied.settings), try await proxied.another())
      let before = try await Before(other.accounts)
      let left = FaultsLeft(1)
      proxied.proxy.decide { $0.commits && left.take() ? .hold : .forward }
      let held = await failure { () async throws(StoreFailure) in
        _ = try await one.insert(Fixtures.account("held@example.com"))
      }
      #expect(held?.isUnknown == true)
      #expect(try await change(other, before), "\(name)")
      await proxied.proxy.releaseHeld()
      try await other.awaitAllChanges()
      let entries = try await other.audit(after: 0, limit: 99)
      #expect(entries.map(\.number) == Array(1...entries.count))
      #expect(entries.contains { $0.email == "held@example.com" })
      await one.close()
      await other.close()
    }
  }

  @Test("changes of one address wait for each other, and a claim that commits while an account is created is taken")
  func together() async throws {
    try await withDatabase { database in
      let proxied = try ProxiedDatabase(database)
      let (one, other) = (try await opened(proxied.settings), try await proxied.another())
      let left = FaultsLeft(1)
      proxied.proxy.decide { $0.commits && left.take() ? .hold : .forward }
      let claim = ClaimCase.claim("name@example.com")
      let held = await failure { () async throws(StoreFailure) in _ = try await one.add(claim) }
      #expect(held?.isUnknown == true)
      // no session can see the claim, and it ends all the same
      async let inserted = other.insert(Fixtures.account("name@example.com"))
      try await PostgreSQL.onItsThread {
        let waiting = """
          SELECT count(*) FROM pg_stat_activity WHERE usename = '\(database.role)' AND wait_event_type = 'Lock'
          """
        // without the wait the account would be there at once
        while try database.administrator.query(waiting) != "1", try database.query("SELECT 1 FROM account") == "" {}
      }
      await proxied.proxy.releaseHeld()
      #expect(try await inserted == .inserted)
      #expect(try await other.find(claim.id, at: Fixtures.time)?.state == .taken)
      await one.close()
      await other.close()
    }
  }
}
