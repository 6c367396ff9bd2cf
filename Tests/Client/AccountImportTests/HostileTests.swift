import Localization
import Registration
import Testing

@testable import AccountImport

/// Files that are incomplete or are not exports. An error in a record costs only that record, and a file that is cut
/// short is an error.
@Suite("Hostile exports", .timeLimit(.minutes(5)))
struct HostileTests {
  private static let hash = "$2b$04$F3dFOc91lvb0VxCGVmYJdeX9F7otD0D84am6E66dQRnmikfZD16Xy"
  private static let head = "email,password_hash\n"

  @Test(
    "a file that is not UTF-8 text causes an error with the file's kind",
    arguments: [
      ([0xFF, 0xFE, 0x7B, 0x00], .utf16), ([0xFE, 0xFF, 0x00, 0x7B], .utf16), ([0x1F, 0x8B, 0x08], .compressed),
      (Array("SQLite format 3\0".utf8), .database), (Array("PGDMP\u{1}".utf8), .database),
      ([0x7F, 0x45, 0x00], .binary),
    ] as [([UInt8], SourceFailure.Kind)])
  func notText(_ bytes: [UInt8], _ kind: SourceFailure.Kind) {
    for system in ForeignSystem.allCases { #expect(Reading(system).failure(bytes) == .notText(kind)) }
  }

  @Test(
    "a file without accounts causes an error with what is missing",
    arguments: [
      (.keycloak, "", .nothing), (.keycloak, " \n", .nothing), (.keycloak, "{\"realm\":\"a\"}", .noArray("users")),
      (.keycloak, "{\"users\":{}}", .noArray("users")), (.firebase, "[]", .noArray("users")), (.ldif, "\n\n", .nothing),
      (.kratos, "email,password\n", .csvForJSON), (.kratos, "email password\n", .notJSON(line: 1, expected: .object)),
      (.kratos, "\n[1]", .notJSON(line: 2, expected: .object)),
      (.kratos, "[{}\n{}]", .notJSON(line: 2, expected: .comma)),
      (.kratos, "[{},]", .notJSON(line: 1, expected: .object)),
      (.keycloak, "{\"a\":1 \"users\":[]}", .notJSON(line: 1, expected: .comma)),
      (.keycloak, "{users:[]}", .notJSON(line: 1, expected: .member)),
      (.keycloak, "{\"users\" []}", .notJSON(line: 1, expected: .colon)),
      (.kratos, "\n[\n", .truncated(line: 2)), (.kratos, "[\n{},\n", .truncated(line: 1)),
      (.keycloak, "{\n\"users\":\n[{}\n", .truncated(line: 3)), (.keycloak, "\n{\n\"users\":[]\n", .truncated(line: 2)),
      (
        .supabase, "\nCOPY auth.users (id, email, encrypted_password, email_confirmed_at) FROM stdin;\n",
        .truncated(line: 2)
      ),
      (.supabase, "--\n-- a dump\n", .noTable("auth.users")),
      (.supabase, "INSERT INTO \"auth\".\"users\" (\"id\") VALUES (1);\n", .insertions(table: "auth.users")),
      (.supabase, "COPY auth.users (id, email) FROM stdin;\n\\.\n", .columns(.missing("encrypted_password"))),
      (.csv, "", .nothing), (.csv, "email,hash\n", .columns(.missing("password_hash"))),
      (.csv, "email,password_hash,email\n", .columns(.twice("email"))),
      (
        .csv, "email,password_hash,create_at\n",
        .columns(
          .unknown(
            "create_at",
            known: [
              "email", "password_hash", "state", "created_at", "id", "groups", "display_name", "terms_version",
              "terms_accepted_at",
            ]))
      ),
      (.csv, "em\"ail,password_hash\n", .columns(.unreadable)), (.csv, head + "a,\"b\nc\n", .openQuote(line: 2)),
    ] as [(ForeignSystem, String, SourceFailure)])
  func failures(_ system: ForeignSystem, _ text: String, _ failure: SourceFailure) {
    #expect(Reading(system).failure(text) == failure)
    #expect(failure.sentence("FILE").english.hasPrefix("FILE "))
  }

  @Test(
    "a file that is cut short anywhere causes an error",
    arguments: [
      ("keycloak", "keycloak-users-0.json"), ("firebase", "firebase.json"), ("wordpress", "wordpress.json"),
      ("supabase", "supabase-dump.sql"),
    ])
  func cut(_ system: String, _ file: String) throws {
    let reading = Reading(try #require(ForeignSystem(rawValue: system)))
    let whole = try Reading.export(file)
    // nothing is missing after the end of a dump's rows
    let end = system == "supabase" ? whole.count - 100 : whole.count - 2
    for length in stride(from: 0, to: end, by: 13) {
      #expect(reading.failure(Array(whole.prefix(length))) != nil, "\(length)")
    }
    #expect(reading.failure(whole) == nil)
  }

  @Test("carriage returns and a byte order mark change nothing", arguments: ExportTests.exports.indices)
  func otherLineEnds(_ index: Int) throws {
    let (system, file, lines) = ExportTests.exports[index]
    let windows = try Reading.export(file).flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
    #expect(try Reading(system).lines([0xEF, 0xBB, 0xBF] + windows) == lines)
  }

  @Test("a record that is not UTF-8 is refused, and the records around it are accepted")
  func encoding() throws {
    let row = Array("@example.org,\(Self.hash)\n".utf8)
    let rows = Array(Self.head.utf8) + [0x61] + row + [0x6A, 0xE9] + row + [0x62] + row
    #expect(
      try Reading(.csv).lines(rows).map { $0.prefix(17) } == [
        "2 active a@exampl", "3 record.encoding", "4 active b@exampl",
      ])
    let object = Array("@example.org\",\"user_pass\":\"\(Self.hash)\"}".utf8)
    let start = Array("{\"user_email\":\"".utf8)
    #expect(
      try Reading(.wordpress).lines(start + [0xE9] + object + [0x0A] + start + [0x61] + object).map { $0.prefix(17) }
        == ["1 record.encoding", "2 active a@exampl"])
    let line = Array("@example.org:\(Self.hash)\n".utf8)
    #expect(
      try Reading(.passwd).lines([0xE9] + line + [0x61] + line).map { $0.prefix(10) } == ["1 record.e", "2 active a"])
  }

  @Test("an enormous record is refused, and the records after it are accepted")
  func enormous() throws {
    let long = String(repeating: "x", count: RecordLimit.bytes + 1)
    let row = "a@example.org,\(Self.hash)\n"
    let rows = "\(Self.head)\(long),y\n\"\(long)\",\(long)\n\(row)"
    #expect(
      try Reading(.csv).lines(rows).map { $0.prefix(17) } == [
        "2 record.tooLarge", "3 record.tooLarge", "4 active a@exampl",
      ])
    let object = "{\"user_email\":\"a@example.org\",\"user_pass\":\"\(Self.hash)\"}"
    #expect(
      try Reading(.wordpress).lines("[{\"x\":\"\(long)\"},\n\(object)]").map { $0.prefix(17) } == [
        "1 record.tooLarge", "2 active a@exampl",
      ])
    let entry = "dn: a\nmail: a@example.org\nuserPassword: {CRYPT}\(Self.hash)\n"
    for folded in ["cn: \(long)\n", "cn: \(long.prefix(600_000))\n \(long.prefix(600_000))\n"] {
      #expect(
        try Reading(.ldif).lines("dn: x\n\(folded)\n\(entry)").map { $0.split(separator: " ")[1] } == [
          "record.tooLarge", "active",
        ])
    }
    #expect(
      try Reading(.passwd).lines("\(long)\na:\(Self.hash)").map { $0.prefix(17) } == [
        "1 record.tooLarge", "2 active a@exampl",
      ])
    // ignored parts may have any size
    #expect(try Reading(.keycloak).lines("{\"clients\":[\"\(long)\\\"]\"],\"users\":[]}").isEmpty)
  }

  @Test(
    "an error in a record causes a reason for that record",
    arguments: [
      (.csv, head + "a@example.org\n", "2 record.invalid -"), (.csv, head + "a@b@c,x\n", "2 email.syntax a@b@c"),
      (.csv, head + "a@example,x\n", "2 email.domain a@example"), (.csv, head + ",x\n", "2 email.missing -"),
      (.csv, head + "\"a\"b@example.org,x\n", "2 record.invalid -"),
      (.csv, "email,password_hash,state\na@example.org,x,gone\n", "2 state.invalid a@example.org"),
      (.csv, "email,password_hash,created_at\na@example.org,x,yesterday\n", "2 createdAt.invalid a@example.org"),
      (
        .csv, "email,password_hash,created_at\na@example.org,x,2024-02-30T00:00:00Z\n",
        "2 createdAt.invalid a@example.org"
      ),
      (.wordpress, "{\"user_email\":\"a@example.org\",}", "1 record.invalid -"),
      (
        .wordpress, "{\"user_email\":\"a@example.org\",\"user_pass\":\"x\",\"spam\":\"maybe\"}",
        "1 record.invalid a@example.org"
      ),
      (.wordpress, "{\"user_email\":{},\"user_pass\":\"x\"}", "1 email.missing -"),
      (.django, "{\"pk\":1}", "1 record.invalid -"),
      (
        .firebase,
        "{\"users\":[{\"email\":\"a@example.org\",\"passwordHash\":\"a\",\"salt\":\"b\",\"createdAt\":\"-1\"}]}",
        "1 createdAt.invalid a@example.org"
      ),
      (.ldif, "dn: a\nchangetype: add\nmail: a@example.org\n", "1 record.invalid a"),
      (.ldif, "dn: a\nno colon\n", "1 record.invalid -"), (.ldif, "dn: a\nmail:: a\n", "1 record.invalid -"),
      (.ldif, "dn: a\nuserPassword: {SSHA}x\n", "1 email.missing a"),
      (.ldif, "dn: a\nmail: a@example.org\nuserPassword: {SSHA}x\nuserPassword: {SSHA}y\n", "1 hash.ambiguous a"),
      (.ldif, "search: 2\nresult: 0 Success\n", "1 passed over"), (.passwd, "a\n", "1 record.invalid -"),
      (.passwd, ":x\n", "1 email.missing -"), (.passwd, "a:\n", "1 hash.missing a"),
      (
        .keycloak, "{\"users\":[{\"email\":\"a@example.org\",\"credentials\":[{\"type\":\"password\"}]}]}",
        "1 record.invalid a@example.org"
      ),
      (
        .kratos,
        "{\"traits\":{},\"credentials\":{\"password\":{\"identifiers\":[\"a@example.org\",\"b@example.org\"]}}}",
        "1 email.ambiguous -"
      ),
    ] as [(ForeignSystem, String, String)])
  func reasons(_ system: ForeignSystem, _ text: String, _ line: String) throws {
    let records = try Reading(system).records(Array(text.utf8))
    #expect(try Reading(system).lines(text) == [line])
    guard case .refused(let refusal, _)? = records.first?.record else { return }
    let message = refusal.sentence(["file"]).english
    #expect(message.hasSuffix(".") && !message.contains("{SSHA}"), "\(message)")
  }

  @Test("a refusal never contains a possible password")
  func secrets() throws {
    for (system, text) in [
      (ForeignSystem.passwd, "a@example.org:hunter2\n"), (.ldif, "dn: a\nmail: a@example.org\nuserPassword: hunter2\n"),
      (.csv, Self.head + "a@example.org,hunter2,x\n"),
    ] {
      let records = try Reading(system).records(Array(text.utf8))
      guard case .refused(let refusal, let name)? = records.first?.record else {
        Issue.record("\(system): taken")
        continue
      }
      #expect(!"\(refusal.sentence([]).english) \(name ?? "")".contains("hunter2"))
    }
  }

  @Test("an account without a password still makes another account with its address a duplicate")
  func withoutPassword() throws {
    let rows = Self.head + "a@example.org,\nA@example.org,\(Self.hash)\nb@example.org,\(Self.hash)\n"
    #expect(
      try Reading(.csv).lines(rows).map { $0.prefix(17) } == [
        "2 email.duplicate", "3 email.duplicate", "4 active b@exampl",
      ])
  }

  @Test("accounts with the same address each name five of the others, and count the rest")
  func manyDuplicates() throws {
    let rows = Self.head + String(repeating: "A@example.org,\(Self.hash)\na@EXAMPLE.org,\(Self.hash)\n", count: 500)
    let records = try Reading(.csv).records(Array(rows.utf8))
    #expect(records.count == 1000)
    for (record, place) in records {
      guard case .refused(.duplicate(let others, let more), _) = record else {
        Issue.record("taken")
        continue
      }
      #expect(others.count == 5 && more == 994 && !others.contains(place))
    }
  }
}
