import RegdProcesses
import Registration
import Synchronization
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "Round trips to PostgreSQL", .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
struct RoundTripTests {
  /// The most that a change may take: what it is about; the lock of all changes, and all behind it; the commit.
  @Test("the ends of claims, the address of the audit and mails cost no round trip of their own")
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
      // a session's first statements are about itself
      for number in 0..<8 { _ = try await store.insert(Fixtures.account("before\(number)@example.com")) }
      proxied.proxy.decide { message in
        if message.kind == "S" { syncs.add(1, ordering: .relaxed) }
        return .forward
      }
      let claim = ClaimCase.claim("name@example.com", request: "r")
      #expect(try await trips { _ = try await store.insert(Fixtures.account("a@example.com")) } == 3)
      #expect(try await trips { _ = try await store.add(claim) } == 3)
      #expect(try await trips { _ = try await store.guess(claim.id, ClaimCase.wrong, ClaimCase.stamp()) } == 3)
      // the lock, and its end: nothing to commit
      #expect(try await trips { _ = try await store.guess(claim.id, ClaimCase.right, ClaimCase.stamp()) } == 2)
      let mail = try #require(try await store.mails(after: nil, limit: 1).first)
      #expect(try await trips { _ = try await store.lease(mail: mail.intent.id) } == 3)
      #expect(try await trips { _ = try await store.end(mail: mail.intent.id, .sent, reason: nil) } == 3)
      #expect(
        try await trips { _ = try await store.prove(claim.id, ClaimCase.account(claim), ClaimCase.stamp(1)) } == 7)
      #expect(try await trips { _ = try await store.delete(claim.account, ClaimCase.stamp(2)) } == 6)
      await store.close()
    }
  }
}
