import Registration
import TestKit
import Testing

@testable import AccountImport

/// The columns of tables that decide an account's state, in the spelling of each program that writes them.
@Suite("State columns in tables", .timeLimit(.minutes(5)))
struct TableSwitchTests {
  private static let bcrypt = "$2b$04$F3dFOc91lvb0VxCGVmYJdeX9F7otD0D84am6E66dQRnmikfZD16Xy"

  /// The state and the hash family of the only record, or the reason if it is refused.
  private func found(_ system: ForeignSystem, _ text: String) throws -> String {
    let records = try Reading(system).records(Array(text.utf8))
    #expect(records.count == 1)
    switch records.first?.record {
    case .account(let account):
      return "\(account.state.rawValue) \(HashFamily.name(account.passwordHash) ?? account.passwordHash)"
    case .refused(let refusal, _): return refusal.reason
    case .passedOver, nil: return "passed over"
    }
  }

  @Test(
    "regd reads the columns with which web applications disable accounts",
    arguments: [
      ("enabled", "f", "disabled bcrypt"), ("enabled", "t", "active bcrypt"), ("is_enabled", "0", "disabled bcrypt"),
      ("is_blocked", "t", "disabled bcrypt"), ("is_blocked", "f", "active bcrypt"),
      ("is_banned", "1", "disabled bcrypt"), ("is_disabled", "1", "disabled bcrypt"),
      ("is_suspended", "1", "disabled bcrypt"), ("deactivated_at", "2024-05-01 09:01:00", "disabled bcrypt"),
      ("deactivated_at", "", "active bcrypt"), ("deactivated_at", "t", "record.invalid"),
      // Devise's own lock. The application's configuration decides whether it expires.
      ("locked_at", "2024-05-01 09:01:00", "active bcrypt"),
    ])
  func columns(_ name: String, _ value: String, _ expected: String) throws {
    let rows = "id,email,encrypted_password,\(name)\n1,a@example.org,\(Self.bcrypt),\(value)\n"
    #expect(try found(.devise, rows) == expected)
  }

  @Test("MySQL's bits are read in each program's spelling")
  func bits() throws {
    let head = "-- MySQL dump\nINSERT INTO `users` (`id`, `email`, `password`, `disabled`) VALUES "
    for (bit, state) in [
      (#"_binary '\0'"#, "active"), ("_binary '\u{1}'", "disabled"), ("0x00", "active"), ("0x01", "disabled"),
      ("b'0'", "active"), ("b'1'", "disabled"),
    ] {
      #expect(
        try found(.laravel, "\(head)(1,'a@example.org','\(Self.bcrypt)',\(bit));\n") == "\(state) bcrypt", "\(bit)")
    }
    // `mysql --batch` writes the byte
    for (bit, state) in [(#"\0"#, "active"), ("\u{1}", "disabled")] {
      let rows = "id\temail\tpassword\tdisabled\n1\ta@example.org\t\(Self.bcrypt)\t\(bit)\n"
      #expect(try found(.laravel, rows) == "\(state) bcrypt")
    }
  }

  @Test(#"\N means no value in tab-separated rows, as PostgreSQL's COPY with a header writes them"#)
  func noValue() throws {
    let head = "id\temail\tencrypted_password\tdeleted_at\tsuspended_at\n"
    #expect(try found(.devise, #"\#(head)1\#ta@example.org\#t\#(Self.bcrypt)\#t\N\#t\N\#n"#) == "active bcrypt")
    #expect(
      try found(.devise, #"\#(head)1\#ta@example.org\#t\#(Self.bcrypt)\#t\N\#t2024-05-01 09:01:00\#n"#)
        == "disabled bcrypt")
    #expect(try found(.devise, #"\#(head)1\#ta@example.org\#t\N\#t\N\#t\N\#n"#) == "hash.missing")
  }
}
