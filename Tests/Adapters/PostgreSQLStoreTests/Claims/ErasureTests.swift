import RegdProcesses
import Registration
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "Erasure in PostgreSQL", .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
struct ErasureTests {
  private static let secret = "unerhoert.selten@example.com"

  @Test("deleted and swept data is in no row, and after VACUUM FULL in no file of the tables")
  func bytes() async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      let account = Fixtures.account(Self.secret)
      let invitation = InvitationCase.invitation(Self.secret)
      #expect(try await store.add(invitation, InvitationCase.mail(invitation), ClaimCase.stamp()) == .added)
      let (request, admission) = (RequestKey(uid: 1, id: "r"), Admission(invitation: invitation.id))
      #expect(try await store.insert(account, request: request, admission, ClaimCase.stamp()) == .inserted)
      let id = account.account.id
      let claims = [
        ClaimCase.claim(Self.secret, .recovery, account: id),
        ClaimCase.claim("other@example.com", .changeOfEmail, account: id),
        ClaimCase.claim(Self.secret, uid: 2, seconds: 10),
      ]
      for claim in claims { #expect(try await store.add(claim) == .added) }
      _ = try await store.guess(claims[0].id, ClaimCase.wrong, ClaimCase.stamp())
      #expect(try await files(database).contains(Self.secret))
      #expect(try await store.delete(id, ClaimCase.stamp(10)) == .deleted)
      // the claim of another user and its mail are kept until the claim expires
      #expect(try await store.claims(after: nil, limit: 9, at: Fixtures.time).map(\.id) == [claims[2].id])
      #expect(try await store.mails(after: nil, limit: 9).map(\.intent.claim) == [claims[2].id])
      // the audit keeps the address for the configured time
      let end = Fixtures.time.advanced(by: .seconds(10))
      #expect(try await store.sweep(at: end, addressesBefore: end, limit: 100) == false)
      #expect(try await store.audit(after: 0, limit: 9).compactMap(\.email) == [Self.secret, Self.secret])
      let later = end.advanced(by: .seconds(1))
      #expect(try await store.sweep(at: later, addressesBefore: later, limit: 100) == false)
      let entries = try await store.audit(of: id, limit: 9)
      #expect(entries.map(\.change) == [.registered, .deleted])
      #expect(entries.map(\.email) == [nil, nil])
      // dead rows remain until they are overwritten
      #expect(try await files(database).contains(Self.secret))
      // a transaction of another test in the same database may be older and still see the rows
      var isLeft = true
      for _ in 0..<300 where isLeft {
        try await PostgreSQL.onItsThread {
          for table in Self.tables { try database.query("VACUUM FULL \(table)") }
        }
        isLeft = try await files(database).contains(Self.secret)
      }
      #expect(!isLeft)
      await store.close()
    }
  }

  @Test("a released registration has no row when its time has ended")
  func released() async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      let account = Fixtures.account(Self.secret, state: .pending)
      #expect(try await store.insert(account, request: RequestKey(uid: 1, id: "r"), ClaimCase.stamp()) == .inserted)
      #expect(
        try await store.release(account.account.id, seen: Fixtures.time, remembered: true, Stamp(Fixtures.time)))
      for (seconds, left) in [(0, "1"), (1, "0")] {
        let end = Fixtures.time.advanced(by: ReleasedRegistration.lifetime + .seconds(seconds))
        #expect(try await store.sweep(at: end, addressesBefore: Fixtures.time, limit: 100) == false)
        let rows = try await PostgreSQL.onItsThread { try database.query("SELECT count(*) FROM released") }
        #expect(rows == left)
      }
      await store.close()
    }
  }

  private static let tables = [
    "account", "audit_address", "claim", "mail", "mail_ask", "wrong_code", "released", "invitation",
  ]

  /// The bytes of the tables and their indexes.
  private func files(_ database: PostgreSQLDatabase) async throws -> String {
    try await PostgreSQL.onItsThread {
      let administrator = database.administrator
      try administrator.query("CHECKPOINT")
      return try administrator.query(
        """
        SELECT encode(pg_read_binary_file(pg_relation_filepath(pg_class.oid)), 'escape') FROM pg_class
        WHERE relnamespace = '\(database.role)'::regnamespace AND relkind IN ('r', 'i')
        """)
    }
  }
}
