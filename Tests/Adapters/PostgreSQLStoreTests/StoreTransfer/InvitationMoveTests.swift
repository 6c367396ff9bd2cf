import RegdProcesses
import Registration
import SQLiteStore
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "Moving invitations from SQLite to PostgreSQL", .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
struct InvitationMoveTests {
  @Test("a move keeps invitations with their used, held and free uses, and the target continues with them")
  func moved() async throws {
    let database = try await PostgreSQL.database()
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let source = try SQLiteStore(path: path)
      let (many, revoked) = (
        try await source.accounts.invite(uses: 3), try await source.accounts.invite("name@example.com")
      )
      let claim = ClaimCase.claim("claim@example.com")
      #expect(try await source.accounts.register("first@example.com", .waiting, with: many) == .inserted)
      #expect(try await source.accounts.add(claim, with: many) == .added)
      func move() async throws -> PostgreSQLMoveTarget {
        let target = try PostgreSQLMoveTarget(database.url, connectLimit: patience, answerLimit: patience)
        let begun = try SQLiteMoveSource(path, beginning: "this move", at: Fixtures.time)
        var mover = try Mover(from: begun, to: target, limit: 2)
        while !(try mover.step().isCaughtUp) {}
        #expect(mover.inSource == mover.inTarget)
        return target
      }
      _ = try await move()
      // changes while the move is in progress
      #expect(try await source.accounts.prove(claim.id, ClaimCase.account(claim), ClaimCase.stamp(1)) == .added)
      #expect(try await source.accounts.revokeInvitation(revoked.id, ClaimCase.stamp(1)) != nil)
      let late = ClaimCase.claim("late@example.com", uid: 2)
      #expect(try await source.accounts.add(late, with: many, at: 1) == .added)
      let target = try await move()
      _ = try target.begin("this move", .random())
      try target.complete(for: "h")
      try target.arrive("this move")
      let store = try await opened(PostgreSQLStore.Settings(database))
      let now = ClaimCase.stamp(2).time
      #expect(
        try await store.invitations(after: nil, limit: 9, at: now)
          == source.accounts.invitations(after: nil, limit: 9, at: now))
      #expect(
        try await store.list(.waiting, after: nil, limit: 9) == source.accounts.list(.waiting, after: nil, limit: 9))
      #expect(try await store.audit(after: 0, limit: 9) == source.accounts.audit(after: 0, limit: 9))
      #expect(try await store.register("past@example.com", with: many, at: 2) == .invitationRejected)
      #expect(try await store.prove(late.id, ClaimCase.account(late), ClaimCase.stamp(2, uid: 2)) == .added)
      #expect(try await store.counted(many, at: 2) == CountedInvitation(many, used: 3, held: 0))
      await store.close()
      await source.close()
    }
  }
}
