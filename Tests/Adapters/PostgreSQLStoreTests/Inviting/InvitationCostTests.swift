import RegdProcesses
import Registration
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

/// The rows that a look-up reads of an invitation with many uses, in a table that was never analysed.
@Suite(
  "The cost of invitations with many uses, in PostgreSQL", .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
struct InvitationCostTests {
  private static let lots = InvitationCase.invitation(uses: Invitation.mostUses)
  private static let share = Share(uid: 7, origin: Origin("o"))

  /// Lets 100 000 claims hold all uses of the invitation, or 100 000 accounts have them.
  private static func fill(_ isHeld: Bool) -> String {
    """
    INSERT INTO claim (id, kind, state, email, email_key, account_id, uid, origin, digits, generation, code_until, attempts,
        resend_at, created_at, expires_at, invitation_id)
      SELECT lpad(to_hex(n), 32, '0'), 'registration', 'open', 'n' || n, 'n' || n, '\(lots.id)', 7,
        CASE n % 2 WHEN 0 THEN 'o'::bytea END, 6, 1, '2200-01-01', 0, now(), now(), '2200-01-01', '\(lots.id)'
      FROM generate_series(1, \(Invitation.mostUses)) AS number (n);
    INSERT INTO invitation_use (invitation_id, slot, claim_id, account_id, held_until, held_since, uid, origin)
      SELECT '\(lots.id)', row_number() OVER (), id, \(isHeld ? "NULL, expires_at, created_at, uid, coalesce(origin, '')" : "account_id, NULL, NULL, NULL, NULL")
      FROM claim
    """
  }

  @Test("a look-up reads few rows, whether claims hold the uses or accounts have them", arguments: [true, false])
  func few(_ isHeld: Bool) async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      #expect(try await store.add(Self.lots, nil, ClaimCase.stamp()) == .added)
      try await PostgreSQL.onItsThread {
        for table in ["claim", "invitation_use"] {
          try database.query("ALTER TABLE \(table) SET (autovacuum_enabled = false)")
        }
        try database.query(Self.fill(isHeld))
        let connection = try #require(ServerAddress(database.url)).connect(0, within: patience, answers: patience)
        let now = Clocks(Fixtures.time)
        let other = AccountID(at: Fixtures.time)
        let claim = try #require(ClaimID(String(repeating: "0", count: 31) + "2"))
        for statement in [
          UseRow.looking(for: Self.lots, now), UseRow.looking(for: Self.lots, now, lock: 1),
          UseRow.oldest(Self.lots.id, Self.share, now), UseRow.oldest(Self.lots.id, Share(uid: 7, origin: nil), now),
          ClaimRow.look(claim, now), ClaimRow.lock(claim, now), ClaimRow.removal("id = $1", [.text(claim.description)]),
          ClaimRow.ending(for: [Fixtures.account("n4").account]), UseRow.look(of: claim),
          UseRow.invitation(heldBy: claim), UseRow.moving(from: claim, to: ClaimCase.claim("y@example.com")),
          UseRow.passing(from: claim, to: other), UseRow.givingBack(other),
          InvitationRow.using(by: other, at: Fixtures.time), InvitationRow.forgetting(other),
        ] {
          let (most, plan) = try connection.rowsRead(by: statement)
          #expect(most < 300, "\(statement.sql)\n\(plan)")
        }
      }
      let email = Fixtures.account("x@example.com").account.email
      let answer = try await store.admittance(Self.lots.digest, email, claiming: nil, at: Fixtures.time)
      // the removal that was explained above has freed one use
      #expect((answer.admitted != nil) == isHeld)
      #expect(try await store.revokeInvitation(Self.lots.id, ClaimCase.stamp(1))?.held == 0)
      // the statements that were explained above have made one claim `taken`
      #expect(try await store.claims(after: nil, limit: 9, at: ClaimCase.stamp(1).time).count == (isHeld ? 1 : 9))
      await store.close()
    }
  }

  @Test("a migration from version 6 adds a row for each use below the highest, and keeps the uses that claims hold")
  func migrated() async throws {
    var sixth = Schema()
    sixth.steps = Array(Schema.shipped.prefix(6))
    let old = sixth
    try await withDatabase { database in
      let invitation = InvitationCase.invitation(uses: 9)
      try await PostgreSQL.onItsThread {
        let connection = try #require(ServerAddress(database.url)).connect(0, within: patience, answers: patience)
        _ = try old.migrate(connection) { _ in }
        try database.query(
          """
          INSERT INTO invitation (id, digest, uses, created_at, expires_at, uid, mailed)
            VALUES ('\(invitation.id)', '\(invitation.digest.text)', \(invitation.uses), '\(invitation.createdAt.rfc3339)',
              '\(invitation.expiresAt.rfc3339)', \(invitation.by), 0);
          INSERT INTO claim (id, kind, state, email, email_key, account_id, uid, digits, generation, code_until, attempts,
              resend_at, created_at, expires_at)
            VALUES ('00000000000000000000000000000001', 'registration', 'open', 'e', 'e', '\(invitation.id)', 7, 6, 1,
              '2200-01-01', 0, now(), now(), '2200-01-01');
          INSERT INTO invitation_use VALUES ('\(invitation.id)', 8, '00000000000000000000000000000001', NULL),
            ('\(invitation.id)', 5, '00000000000000000000000000000002', NULL),
            ('\(invitation.id)', 3, NULL, '\(invitation.id)')
          """)
      }
      let store = try await opened(PostgreSQLStore.Settings(database))
      let now = ClaimCase.stamp().time
      #expect(try await store.counted(invitation) == CountedInvitation(invitation, used: 1, held: 1))
      #expect(try await store.claims(after: nil, limit: 9, at: now).map(\.invitation) == [invitation.id])
      for number in 0..<8 {
        let answer = try await store.register("n\(number)@example.com", with: invitation)
        #expect(answer == (number < 7 ? .inserted : .invitationRejected), "\(number)")
      }
      let refused = try await PostgreSQL.onItsThread {
        let connection = try #require(ServerAddress(database.url)).connect(0, within: patience, answers: patience)
        return #expect(throws: ServerFailure.self) { _ = try old.state(connection) }?.detail
      }
      #expect(refused?.contains("upgrade this regd") == true)
      await store.close()
    }
  }

  @Test("a use that was taken by an undone change is found again, however many uses were taken after it")
  func gaps() async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      let invitation = try await store.invite(uses: 300)
      for number in 0..<300 {
        #expect(try await store.register("n\(number)@example.com", with: invitation) == .inserted, "\(number)")
        // as if the change that took this number had been undone
        guard number % 50 == 0 else { continue }
        _ = try await PostgreSQL.onItsThread {
          try database.query("DELETE FROM invitation_use WHERE slot = (SELECT max(slot) FROM invitation_use)")
        }
      }
      for number in 0..<7 {
        let answer = try await store.register("m\(number)@example.com", with: invitation)
        #expect(answer == (number < 6 ? .inserted : .invitationRejected), "\(number)")
      }
      await store.close()
    }
  }
}
