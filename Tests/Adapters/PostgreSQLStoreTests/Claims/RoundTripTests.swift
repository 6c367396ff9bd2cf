import RegdProcesses
import Registration
import Synchronization
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "Round trips to PostgreSQL", .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
struct RoundTripTests {
  /// The most round trips that a change may take: one for its rows, one for the address locks and everything after
  /// them, one for its entries and the commit. The first two are one if the account's own statement determines the
  /// locks.
  @Test("ending claims, storing the audit's address and adding mails cost no extra round trips")
  func counted() async throws {
    try await withDatabase { database in
      let proxied = try ProxiedDatabase(database)
      let store = try await opened(proxied.settings)
      let syncs = Atomic(0)
      func trips(_ body: () async throws -> Void) async throws -> Int {
        syncs.store(0, ordering: .relaxed)
        try await body()
        return syncs.load(ordering: .relaxed)
      }
      // the first statements of a session are about the session itself
      for number in 0..<8 { _ = try await store.insert(Fixtures.account("before\(number)@example.com")) }
      proxied.proxy.decide { message in
        if message.kind == "S" { syncs.add(1, ordering: .relaxed) }
        return .forward
      }
      let claim = ClaimCase.claim("name@example.com", request: "r")
      #expect(try await trips { _ = try await store.insert(Fixtures.account("a@example.com")) } == 2)
      #expect(try await trips { _ = try await store.add(claim) } == 3)
      #expect(try await trips { _ = try await store.guess(claim.id, ClaimCase.wrong, ClaimCase.stamp()) } == 3)
      // the lock and its release: there is nothing to commit
      #expect(try await trips { _ = try await store.guess(claim.id, ClaimCase.right, ClaimCase.stamp()) } == 2)
      let mail = try #require(try await store.mails(after: nil, limit: 1).first)
      #expect(try await trips { _ = try await store.lease(mail: mail.intent.id) } == 3)
      #expect(try await trips { _ = try await store.end(mail: mail.intent.id, .sent, reason: nil) } == 3)
      #expect(
        try await trips { _ = try await store.prove(claim.id, ClaimCase.account(claim), ClaimCase.stamp(1)) } == 5)
      #expect(try await trips { _ = try await store.delete(claim.account, ClaimCase.stamp(2)) } == 4)
      // in addition: the invitation and a free use of it, and for a claim the check that its mail is admitted
      let invitation = try await store.invite(uses: 9)
      #expect(try await trips { _ = try await store.register("b@example.com", with: invitation) } == 5)
      let invited = ClaimCase.claim("c@example.com")
      #expect(try await trips { _ = try await store.add(invited, with: invitation) } == 5)
      // one more: whether the claim still has its use
      #expect(
        try await trips { _ = try await store.prove(invited.id, ClaimCase.account(invited), ClaimCase.stamp(1)) } == 6)
      await store.close()
    }
  }

  @Test("a session parses a statement twice and prepares it the second time; a refused statement is prepared later")
  func prepared() async throws {
    try await withDatabase { database in
      let proxied = try ProxiedDatabase(database)
      let parsed = Mutex([String]())
      proxied.proxy.decide { message in
        if message.kind == "P" { parsed.withLock { $0.append(message.statement) } }
        return .forward
      }
      let (sum, quotient) = ("SELECT $1::integer + 1", "SELECT 1 / $1::integer")
      @Sendable func count(_ sql: String) -> Int { parsed.withLock { $0.count { $0 == sql } } }
      try await PostgreSQL.onItsThread {
        let address = try #require(ServerAddress(proxied.settings.url))
        let connection = try Connector(
          address: address, durability: .local, connectLimit: patience, answerLimit: patience,
          damage: DamageLog { _ in }
        ).connect()
        for number in 1...5 { #expect(try connection.run(sum, ["\(number)"]).first?.text(0) == "\(number + 1)") }
        #expect(count(sum) == 2)
        // two statements in one round trip: the first is refused and the second is skipped
        #expect(throws: ServerFailure.self) {
          try connection.run([Statement(quotient, ["0"]), Statement(quotient, ["1"])])
        }
        #expect(count(quotient) == 2)
        for _ in 0..<3 { #expect(try connection.run(quotient, ["1"]).first?.text(0) == "1") }
        #expect(count(quotient) == 3)
      }
    }
  }

  @Test("a change makes no round trip for an answer that it does not need")
  func together() async throws {
    try await withDatabase { database in
      let proxied = try ProxiedDatabase(database)
      let store = try await opened(proxied.settings)
      for number in 0..<8 { _ = try await store.insert(Fixtures.account("before\(number)@example.com")) }
      let syncs = Atomic(0)
      let commits = Atomic(0)
      proxied.proxy.decide { message in
        if message.kind == "S" { syncs.add(1, ordering: .relaxed) }
        if message.commits { commits.add(1, ordering: .relaxed) }
        return .forward
      }
      func trips(_ body: () async throws -> Void) async throws -> Int {
        syncs.store(0, ordering: .relaxed)
        commits.store(0, ordering: .relaxed)
        try await body()
        #expect(commits.load(ordering: .relaxed) == 1)
        return syncs.load(ordering: .relaxed)
      }
      let account = Fixtures.account("a@example.com", state: .pending)
      let (id, mark) = (account.account.id, ClaimCase.stamp(1))
      let delivery = Delivery(attempts: 1, failure: nil, next: mark.time)
      #expect(
        try await trips {
          _ = try await store.insert(account, request: RequestKey(uid: 1, id: "a"), ClaimCase.stamp())
        } == 2)
      #expect(try await trips { _ = try await store.putOff(id, seen: Fixtures.time, delivery) } == 3)
      #expect(try await trips { _ = try await store.resume(id, seen: Fixtures.time, mark) } == 5)
      #expect(try await trips { _ = try await store.activate(id, ClaimCase.stamp(2)) } == 3)
      #expect(try await trips { _ = try await store.setEnabled(id, false, ClaimCase.stamp(2)) } == 2)
      _ = try await store.setEnabled(id, true, ClaimCase.stamp(2))
      let recovery = ClaimCase.claim("a@example.com", .recovery, account: id)
      #expect(try await trips { _ = try await store.add(recovery) } == 2)
      #expect(
        try await trips {
          let hash = PasswordHash(phc: "new")
          let recovered = try await store.recover(recovery.id, of: id, to: hash, nil, ClaimCase.stamp(3))
          guard recovered != nil else { throw ProgramFailure(description: "not recovered") }
        } == 4)
      let change = ClaimCase.claim("b@example.com", .changeOfEmail, account: id)
      _ = try await store.add(change)
      #expect(
        try await trips {
          let answer = try await store.changeEmail(
            of: id, from: account.account.email.key, having: nil, to: change.email, proving: change.id, nil,
            ClaimCase.stamp(4))
          guard case .changed = answer else { throw ProgramFailure(description: "\(answer)") }
        } == 6)
      await store.close()
    }
  }
}
