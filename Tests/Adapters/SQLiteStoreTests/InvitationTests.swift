import Registration
import Synchronization
import TestKit
import Testing

@testable import SQLiteStore

@Suite("SQLite: invitations", .timeLimit(.minutes(10)))
struct InvitationTests {
  private static let lots = InvitationScene.invitation(uses: Invitation.mostUses)

  /// So many uses of the invitation that accounts have.
  private func fill(_ path: String, _ uses: Int) throws {
    try Connection(path: path, busyMilliseconds: 60_000).run(
      """
      WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < CAST(?2 AS INTEGER))
      INSERT INTO invitation_use (invitation_id, slot, account_id) SELECT ?1, n, 'a' || n FROM number
      """, [Self.lots.id.description, "\(uses)"])
  }

  @Test("of an invitation of 100 000 uses the last one is found at once, and so is that none is left")
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
      let (id, now) = (Self.lots.id.description, ClaimScene.time(1).rfc3339)
      for (sql, values) in [(InvitationUseRow.lastGiven, [id]), (InvitationUseRow.givenBack, [id, now])] {
        let steps = try connection.steps(sql, values)
        #expect(steps < 100, "\(steps) steps")
      }
      let counted = try await store.invitations(after: nil, limit: 9, at: ClaimScene.time(1))
      #expect(counted == [CountedInvitation(Self.lots, used: Invitation.mostUses, held: 0)])
    }
  }

  @Test("invited registrations share a commit, and each use is taken once")
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

  @Test("uses whose rows another kind of store has removed are free once a move has arrived")
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

  @Test("a sweep makes uses free whose claims are gone, and then they are found first")
  func tidied() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let store = try SQLiteStore(path: path)
      let invitation = InvitationScene.invitation(uses: 20)
      #expect(try await store.add(invitation, nil, ClaimScene.stamp(0)) == .added)
      for number in 0..<20 {
        let claim = ClaimScene.claim(.registration, "n\(number)@example.com", seconds: number < 15 ? 100 : 200)
        let answer = try await store.add(
          claim, ClaimScene.mail(claim), invitation: invitation.id, ClaimScene.stamp(0))
        #expect(answer == .added)
      }
      while try await store.sweep(at: ClaimScene.time(100), addressesBefore: ClaimScene.time(0), limit: 4) {}
      let connection = try Connection(path: path, busyMilliseconds: 1000)
      #expect(try connection.integer("SELECT count(*) FROM invitation_use WHERE claim_id IS NULL") == 15)
      #expect(try connection.integer("SELECT count(*) FROM invitation_use WHERE claim_id IS NOT NULL") == 5)
      #expect(try !InvitationUseRow.hasUntidy(connection))
    }
  }
}
