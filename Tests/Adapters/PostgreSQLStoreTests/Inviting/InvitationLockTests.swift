import RegdProcesses
import Registration
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

/// One change is held in its commit while other changes arrive.
@Suite(
  "Lock waits with one invitation, in PostgreSQL", .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
struct InvitationLockTests {
  private struct Scene {
    let other: PostgreSQLStore
    let database: PostgreSQLDatabase
    let proxy: PostgreSQLProxy

    /// Returns when another session of this database waits for a lock.
    func awaitWaiting() async throws {
      let (waiting, administrator) = (waiting, database.administrator)
      try await PostgreSQL.onItsThread { while try administrator.query(waiting) == "0" {} }
    }

    /// Counts sessions that wait for a lock, except the session that numbers the audit's entries, because no change
    /// waits for it.
    var waiting: String {
      """
      SELECT count(*) FROM pg_stat_activity
      WHERE usename = '\(database.role)' AND cardinality(pg_blocking_pids(pid)) > 0 AND query NOT LIKE '%FROM numbering%'
      """
    }
  }

  /// - Parameter hold: The change that is in progress while `body` runs.
  private func withScene(
    uses: Int, holding hold: Hold,
    _ body: (Scene, Invitation) async throws -> Void
  ) async throws {
    try await withDatabase { database in
      let proxied = try ProxiedDatabase(database)
      let (one, other) = (try await opened(proxied.settings), try await proxied.another())
      let invitation = try await other.invite(uses: uses)
      let left = FaultsLeft(1)
      proxied.proxy.decide { $0.commits && left.take() ? .hold : .forward }
      let held = await failure { () async throws(StoreFailure) in try await hold(one, invitation) }
      #expect(held?.isUnknown == true)
      try await body(Scene(other: other, database: database, proxy: proxied.proxy), invitation)
      await one.close()
      await other.close()
    }
  }

  private typealias Hold = @Sendable (PostgreSQLStore, Invitation) async throws(StoreFailure) -> Void

  private static let registering: Hold = { (store, invitation) async throws(StoreFailure) in
    _ = try await store.register("held@example.com", with: invitation)
  }

  private static let claim = ClaimCase.claim("name@example.com")

  private static let claiming: Hold = { (store, invitation) async throws(StoreFailure) in
    _ = try await store.add(claim, with: invitation)
  }

  private static let revoking: Hold = { (store, invitation) async throws(StoreFailure) in
    _ = try await store.revokeInvitation(invitation.id, ClaimCase.stamp())
  }

  // with few uses each taker also records the time of its use
  @Test(
    "with many uses no change waits for the commit of another change",
    arguments: [100_000, 62])
  func many(_ uses: Int) async throws {
    try await withScene(uses: uses, holding: Self.registering) { scene, invitation in
      for number in 0..<30 {
        #expect(try await scene.other.register("n\(number)@example.com", with: invitation) == .inserted)
        let claim = ClaimCase.claim("c\(number)@example.com")
        #expect(try await scene.other.add(claim, with: invitation) == .added)
        #expect(try await scene.other.prove(claim.id, ClaimCase.account(claim), ClaimCase.stamp(1)) == .added)
      }
      let (waiting, administrator) = (scene.waiting, scene.database.administrator)
      #expect(try await PostgreSQL.onItsThread { try administrator.query(waiting) } == "0")
      // no list is requested, because a list waits for the numbers of the commit in progress
      await scene.proxy.releaseHeld()
      try await scene.other.awaitAllChanges()
      #expect(try await scene.other.counted(invitation)?.used == 61)
    }
  }

  @Test("a registration waits for the commit that takes the last use, and is then rejected")
  func last() async throws {
    try await withScene(uses: 1, holding: Self.registering) { scene, invitation in
      async let rejected = scene.other.register("late@example.com", with: invitation)
      try await scene.awaitWaiting()
      await scene.proxy.releaseHeld()
      #expect(try await rejected == .invitationRejected)
      #expect(try await scene.other.list(after: nil, limit: 9).map(\.account.email.typed) == ["held@example.com"])
    }
  }

  @Test("changes with another invitation do not wait for the held commit")
  func another() async throws {
    try await withScene(uses: 1, holding: Self.registering) { scene, _ in
      let another = try await scene.other.invite()
      #expect(try await scene.other.register("name@example.com", with: another) == .inserted)
      #expect(try await scene.other.revokeInvitation(another.id, ClaimCase.stamp(1))?.used == 1)
      await scene.proxy.releaseHeld()
    }
  }

  @Test("a revocation waits for a claim in progress and ends it, and a later registration is rejected")
  func revoked() async throws {
    try await withScene(uses: 9, holding: Self.claiming) { scene, invitation in
      async let revoking = scene.other.revokeInvitation(invitation.id, ClaimCase.stamp(1))
      try await scene.awaitWaiting()
      await scene.proxy.releaseHeld()
      #expect(try await revoking?.invitation.revokedAt == ClaimCase.stamp(1).time)
      #expect(try await scene.other.find(Self.claim.id, at: Fixtures.time) == nil)
      #expect(try await scene.other.counted(invitation)?.held == 0)
      #expect(try await scene.other.register("late@example.com", with: invitation, at: 1) == .invitationRejected)
      #expect(
        try await scene.other.audit(after: 0, limit: 9).map(\.change) == [.invitationCreated, .invitationRevoked])
    }
  }

  @Test("a registration waits for the revocation of its invitation in progress, and is then rejected")
  func revoking() async throws {
    try await withScene(uses: 9, holding: Self.revoking) { scene, invitation in
      async let rejected = scene.other.register("late@example.com", with: invitation)
      try await scene.awaitWaiting()
      await scene.proxy.releaseHeld()
      #expect(try await rejected == .invitationRejected)
      #expect(try await scene.other.list(after: nil, limit: 9).isEmpty)
    }
  }
}
