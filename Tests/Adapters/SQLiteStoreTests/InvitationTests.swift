import Registration
import StoreConformance
import Synchronization
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

@Suite("SQLite: invitations", .timeLimit(.minutes(10)))
struct InvitationTests {
  private static let lots = InvitationScene.invitation(uses: Invitation.mostUses)

  /// Adds this number of uses of the invitation by accounts.
  private func fill(_ path: String, _ uses: Int) throws {
    try Connection(path: path, busyMilliseconds: 60_000).run(
      """
      WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < CAST(?2 AS INTEGER))
      INSERT INTO invitation_use (invitation_id, slot, account_id) SELECT ?1, n, 'a' || n FROM number
      """, [Self.lots.id.description, "\(uses)"])
  }

  @Test(
    "the store finds the last of 100 000 uses of an invitation in few steps, and finds in few steps that none is left")
  func lots() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let store = try SQLiteStore(path: path)
      #expect(try await store.add(Self.lots, nil, ClaimScene.stamp(0)) == .added)
      try fill(path, Invitation.mostUses - 1)
      let connection = try Connection(path: path, busyMilliseconds: 1000)
      func free() throws -> Int? { try InvitationUseRow.free(connection, of: Self.lots, at: ClaimScene.time(1)) }
      #expect(try free() == Invitation.mostUses)
      let admission = Admission(invitation: Self.lots.id)
      for (email, answer) in [("a@example.com", InsertAnswer.inserted), ("b@example.com", .invitationRejected)] {
        #expect(
          try await store.insert(Fixtures.account(email), request: nil, admission, ClaimScene.stamp(1)) == answer)
      }
      #expect(try free() == nil)
      try expectFewSteps(connection)
      let counted = try await store.invitations(after: nil, limit: 9, at: ClaimScene.time(1))
      #expect(counted == [CountedInvitation(Self.lots, used: Invitation.mostUses, held: 0)])
    }
  }

  private func expectFewSteps(_ connection: Connection) throws {
    let id = Self.lots.id.description
    for (sql, values) in [
      (InvitationUseRow.lastGiven, [id]), (InvitationUseRow.soonest, [id]), (InvitationUseRow.oldest, [id, "7", "o"]),
      (InvitationUseRow.oldest, [id, "7", ""]),
    ] as [(String, [String?])] {
      let steps = try connection.steps(sql, values)
      #expect(steps < 100, "\(steps) steps of \(sql)")
    }
  }

  /// Adds claims of one user, half of them without an origin, that hold this number of uses of the invitation.
  private func hold(_ path: String, _ uses: Int) throws {
    let connection = try Connection(path: path, busyMilliseconds: 60_000)
    let (now, end) = (ClaimScene.time(0).rfc3339, ClaimScene.time(9000).rfc3339)
    try connection.run(
      """
      WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < CAST(?2 AS INTEGER))
      INSERT INTO claim (id, kind, state, email, email_key, account_id, uid, origin, digits, generation, code_until, attempts,
          resend_at, created_at, expires_at, invitation_id)
        SELECT printf('%032x', n), 'registration', 'open', 'n' || n, 'n' || n, 'a' || n, 7, CASE n % 2 WHEN 0 THEN 'o' END,
          6, 1, ?4, 0, ?3, ?3, ?4, ?1 FROM number
      """, [Self.lots.id.description, "\(uses)", now, end])
    try connection.run(
      """
      INSERT INTO invitation_use (invitation_id, slot, claim_id, held_until, held_since, uid, origin)
      SELECT invitation_id, row_number() OVER (), id, expires_at, created_at, uid, ifnull(origin, '') FROM claim
      """)
  }

  @Test("an invitation with 100 000 held uses is looked up in few steps, and revoking it removes no row")
  func held() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let store = try SQLiteStore(path: path)
      #expect(try await store.add(Self.lots, nil, ClaimScene.stamp(0)) == .added)
      try hold(path, Invitation.mostUses)
      let connection = try Connection(path: path, busyMilliseconds: 1000)
      try expectFewSteps(connection)
      let email = ClaimScene.email("x@example.com")
      for (origin, isAdmitted) in [("o", true), ("p", false), (nil, false)] {
        let share = Share(uid: 7, origin: origin.flatMap { Origin($0) })
        let answer = try await store.admittance(Self.lots.digest, email, claiming: share, at: ClaimScene.time(1))
        #expect((answer.admitted != nil) == isAdmitted, "\(origin ?? "-")")
      }
      let first = try #require(ClaimID(String(repeating: "0", count: 31) + "2"))
      let next = ClaimScene.claim(.registration, "x@example.com", origin: "o", at: 1)
      #expect(
        try await store.add(next, ClaimScene.mail(next), invitation: Self.lots.id, ClaimScene.stamp(1)) == .added)
      #expect(try await store.find(first, at: ClaimScene.time(1)) == nil, "the oldest one of this origin")
      let revoked = try await store.revokeInvitation(Self.lots.id, ClaimScene.stamp(2))
      #expect(revoked?.held == 0)
      // revoking removes no row, because that would block the writer
      #expect(try connection.integer("SELECT count(*) FROM claim") == Invitation.mostUses)
      #expect(try await store.claims(after: nil, limit: 9, at: ClaimScene.time(2)).isEmpty)
      #expect(try await store.find(next.id, at: ClaimScene.time(2)) == nil)
    }
  }

  @Test("looking up an invitation reads no claims that its caller has made without an invitation")
  func others() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let store = try SQLiteStore(path: path)
      #expect(try await store.add(Self.lots, nil, ClaimScene.stamp(0)) == .added)
      try hold(path, 5000)
      let connection = try Connection(path: path, busyMilliseconds: 1000)
      try connection.run("UPDATE claim SET invitation_id = NULL")
      try connection.run("DELETE FROM invitation_use")
      try expectFewSteps(connection)
    }
  }

  @Test("invited registrations share a commit, and each use is given once")
  func grouped() async throws {
    try await withTemporaryDirectory { directory in
      let held = try HeldStore(directory)
      let invitation = InvitationScene.invitation(uses: 10)
      let answers = Mutex<[InsertAnswer]>([])
      let commits = try await held.together(
        (0...30).map { number in
          {
            guard number > 0 else {
              #expect(try await held.store.add(invitation, nil, ClaimScene.stamp(0)) == .added)
              return
            }
            let account = Fixtures.account("member\(number)@example.com")
            let answer = try await held.store.insert(
              account, request: nil, Admission(invitation: invitation.id), ClaimScene.stamp(1))
            answers.withLock { $0.append(answer) }
          }
        })
      #expect(commits == 1)
      #expect(answers.withLock { $0.count { $0 == .inserted } } == 10)
      #expect(answers.withLock { $0.count { $0 == .invitationRejected } } == 20)
      let counted = try await held.store.invitations(after: nil, limit: 9, at: ClaimScene.time(1))
      #expect(counted == [CountedInvitation(invitation, used: 10, held: 0)])
      #expect(held.told.entries == (try await held.store.audit(after: 0, limit: 100)))
    }
  }

  @Test("after a move, uses whose rows another kind of store has removed are free")
  func gaps() async throws {
    try await withTemporaryDirectory { directory in
      let stage = MoveStage(directory)
      let store = try SQLiteStore(path: stage.source)
      let invitation = InvitationScene.invitation(uses: 6)
      #expect(try await store.add(invitation, nil, ClaimScene.stamp(0)) == .added)
      try stage.write(
        "INSERT INTO invitation_use (invitation_id, slot, account_id) VALUES ('\(invitation.id)', 6, 'a'), ('\(invitation.id)', 3, 'b')",
        to: stage.source)
      try stage.catchUp()
      #expect(try MoveStage.rows(stage.source) == MoveStage.rows(stage.target))
      try stage.arrive()
      let moved = try SQLiteStore(path: stage.target)
      for number in 0..<5 {
        let answer = try await moved.insert(
          Fixtures.account("n\(number)@example.com"), request: nil, Admission(invitation: invitation.id),
          ClaimScene.stamp(1))
        #expect(answer == (number < 4 ? .inserted : .invitationRejected), "\(number)")
      }
    }
  }

  @Test("a sweep reads no open invitation, however many there are")
  func open() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let store = try SQLiteStore(path: path)
      let ended = InvitationScene.invitation("ended@example.com", seconds: 10)
      #expect(try await store.add(ended, nil, ClaimScene.stamp(0)) == .added)
      let connection = try Connection(path: path, busyMilliseconds: 1000)
      let (now, end) = (ClaimScene.time(0).rfc3339, ClaimScene.time(9000).rfc3339)
      try connection.run(
        """
        WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 5000)
        INSERT INTO invitation (id, digest, email, email_key, uses, created_at, expires_at, uid, mailed)
          SELECT 'i' || n, 'd' || n, 'n' || n, 'n' || n, 1, ?1, ?2, 0, 1 FROM number
        """, [now, end])
      let before = ClaimScene.time(100)
      let steps = try connection.steps(InvitationRow.ended, [before.rfc3339, "1000"])
      #expect(steps < 100, "\(steps) steps")
      _ = try await store.sweep(at: before, addressesBefore: before, limit: 1000)
      #expect(try connection.integer("SELECT count(*) FROM invitation WHERE email IS NOT NULL") == 5000)
    }
  }

  @Test("a sweep clears the uses of the claims that it removes, and keeps the other uses")
  func swept() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let store = try SQLiteStore(path: path)
      let invitation = InvitationScene.invitation(uses: 20)
      #expect(try await store.add(invitation, nil, ClaimScene.stamp(0)) == .added)
      for number in 0..<20 {
        let claim = ClaimScene.claim(
          .registration, "n\(number)@example.com", origin: "o", seconds: number < 15 ? 100 : 200)
        let answer = try await store.add(
          claim, ClaimScene.mail(claim), invitation: invitation.id, ClaimScene.stamp(0))
        #expect(answer == .added)
      }
      while try await store.sweep(at: ClaimScene.time(100), addressesBefore: ClaimScene.time(0), limit: 4) {}
      let connection = try Connection(path: path, busyMilliseconds: 1000)
      let isEmpty = "coalesce(claim_id, held_until, held_since, uid, origin) IS NULL"
      #expect(try connection.integer("SELECT count(*) FROM invitation_use WHERE \(isEmpty)") == 15)
      #expect(try connection.integer("SELECT count(*) FROM invitation_use WHERE claim_id IS NOT NULL") == 5)
    }
  }

  @Test("a migration from before holds keeps held uses held, and frees the uses of missing claims")
  func migrated() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let old = try Connection(path: path, busyMilliseconds: 0)
      for migration in Schema.migrations.prefix(13) where migration != Schema.rewriting { try old.execute(migration) }
      try Installation.make(old)
      let lots = Self.lots
      let (now, end) = (ClaimScene.time(0).rfc3339, ClaimScene.time(100).rfc3339)
      try old.execute(
        """
        INSERT INTO invitation VALUES ('\(lots.id)', '\(lots.digest.text)', NULL, NULL, NULL, 4, '\(now)',
          '\(lots.expiresAt.rfc3339)', NULL, NULL, 0, 0);
        INSERT INTO claim (id, kind, state, email, email_key, account_id, uid, origin, digits, generation, code_until, attempts,
            resend_at, created_at, expires_at)
          SELECT id, 'registration', state, 'e', 'e',
            '\(lots.id)', 7, 'o', 6, 1, '\(end)', 0, '\(now)', '\(now)', '\(end)'
          FROM (SELECT '00000000000000000000000000000001' AS id, 'open' AS state
            UNION SELECT '00000000000000000000000000000002', 'taken');
        INSERT INTO invitation_use VALUES ('\(lots.id)', 1, '00000000000000000000000000000001', NULL),
          ('\(lots.id)', 2, '00000000000000000000000000000002', NULL),
          ('\(lots.id)', 3, '00000000000000000000000000000003', NULL), ('\(lots.id)', 4, NULL, 'a');
        PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = 13
        """)
      let store = try SQLiteStore(path: path)
      let counted = try await store.invitations(after: nil, limit: 9, at: ClaimScene.time(1))
      #expect(counted.map { [$0.used, $0.held] } == [[1, 1]])
      let claims = try await store.claims(after: nil, limit: 9, at: ClaimScene.time(1))
      #expect(claims.map(\.invitation) == [lots.id, lots.id])
      for number in 0..<3 {
        let answer = try await store.insert(
          Fixtures.account("n\(number)@example.com"), request: nil, Admission(invitation: lots.id), ClaimScene.stamp(1))
        #expect(answer == (number < 2 ? .inserted : .invitationRejected), "\(number)")
      }
      #expect(try await store.revokeInvitation(lots.id, ClaimScene.stamp(2))?.used == 3)
      #expect(try await store.claims(after: nil, limit: 9, at: ClaimScene.time(2)).map(\.state) == [.taken])
    }
  }
}
