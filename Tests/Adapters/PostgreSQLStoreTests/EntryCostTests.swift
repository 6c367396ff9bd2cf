import RegdProcesses
import Registration
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

/// The rows that a look-up reads of an account with many audit entries, in tables that were never analysed.
@Suite(
  "The cost of accounts with many audit entries, in PostgreSQL", .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
struct EntryCostTests {
  private static let account = Fixtures.account("much@example.com", state: .pending)

  /// Adds 30 000 entries and a later reservation of the account, a release of it, and 24 mails to its address within the
  /// present hour. So the next mail is admitted only if the entries tell that its share registered the account.
  private static func fill(_ mail: MailCounter) -> String {
    let (id, time) = (account.account.id, Fixtures.time.rfc3339)
    return """
      ALTER TABLE audit SET (autovacuum_enabled = false);
      INSERT INTO audit (number, at, change, account_id, uid, regd, turn)
        SELECT (SELECT last FROM numbering) + n, '\(time)',
          CASE n WHEN 30000 THEN 'account.reserved' ELSE 'account.signedOut' END, '\(id)', 99, 'x', 0
        FROM generate_series(1, 30000) AS n;
      UPDATE numbering SET last = last + 30000;
      INSERT INTO released (uid, id, account_id, email, email_key, password_hash, released_at)
        VALUES (1, 'r', '\(id)', 'much@example.com', 'much@example.com', 'h', '\(time)');
      INSERT INTO mail_ask (address, share, part, at)
        SELECT \(mail.address), n, 0, '\(time)' FROM generate_series(1, 24) AS n
      """
  }

  @Test("a look-up of an account's first or latest entry reads few rows, however many entries the account has")
  func few() async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      #expect(try await store.insert(Self.account, request: nil, ClaimCase.stamp()) == .inserted)
      let mail = ClaimCase.mail(ClaimCase.claim("much@example.com"))
      let key = store.codeKey
      try await PostgreSQL.onItsThread {
        try database.query(Self.fill(MailCounter(mail, key)))
        let connection = try #require(ServerAddress(database.url)).connect(0, within: patience, answers: patience)
        let admitting = MailRow.admitting(mail, key, Clocks(Fixtures.time))
        for statement in admitting + [
          DeliveryRow.look(Self.account.account.id, Claimant()), DeliveryRow.page(AccountRow.beforeAll, 9, Claimant()),
          ReleasedRow.forgetting(1, of: "1"),
        ] {
          let (most, plan) = try connection.rowsRead(by: statement)
          #expect(most < 300, "\(statement.sql)\n\(plan)")
        }
        #expect(try connection.run(admitting).last?.first != nil, "the mail's share has registered the account")
      }
      // the latest reservation was made by another user
      #expect(try await store.find(pending: Self.account.account.id)?.share == Share(uid: 99))
      await store.close()
    }
  }
}
