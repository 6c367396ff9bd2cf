import Localization
import Registration
import TestKit
import Testing

@testable import AccountImport

/// The accounts in each system's export. The files were written by hand, after the system's documentation and the
/// source of its exporter.
@Suite("Exports of other systems", .timeLimit(.minutes(5)))
struct ExportTests {
  private static let ann = "00001a2b-5b1e-4c52-9d0e-2f6f3a5c1a2b"
  private static let bob = "00001a2c-5b1e-4c52-9d0e-2f6f3a5c1a2c"
  private static let dan = "00001a30-5b1e-4c52-9d0e-2f6f3a5c1a30"
  private static let gus = "00001a32-5b1e-4c52-9d0e-2f6f3a5c1a32"
  private static let may = "2024-05-01T09:01:00"

  static let exports: [(system: ForeignSystem, file: String, lines: [String])] = [
    (
      .keycloak, "keycloak-realm.json",
      [
        "34 active Ann@example.org \(may) \(ann) argon2id", "76 disabled bob@example.org \(may) \(bob) pbkdf2-sha256",
        "112 hash.missing eve@example.org", "146 email.duplicate Carl@example.org",
        "182 email.duplicate carl@EXAMPLE.ORG", "218 active dan@example.org \(may) \(dan) argon2id",
        "254 account.unproven fay@example.org", "292 account.machine service-account-shop",
      ]
    ),
    (
      .keycloak, "keycloak-users-0.json",
      [
        "4 active Ann@example.org \(may) \(ann) argon2id", "46 disabled bob@example.org \(may) \(bob) pbkdf2-sha256",
      ]
    ),
    (
      .kratos, "kratos.json",
      [
        "1 active Ann@example.org \(may) \(ann) argon2id", "1 disabled bob@example.org \(may) \(bob) bcrypt",
        "1 hash.missing eve@example.org", "2 email.duplicate Carl@example.org", "2 email.duplicate carl@EXAMPLE.ORG",
        "2 active dan@example.org \(may) \(dan) scrypt", "2 hash.unsupported fay@example.org",
        "2 active gus@example.org \(may) \(gus) bcrypt",
      ]
    ),
    (
      .supabase, "supabase-dump.sql",
      [
        "25 active ann@example.org \(may) \(ann) bcrypt", "26 disabled bob@example.org \(may) \(bob) bcrypt",
        "27 hash.missing eve@example.org", "28 email.duplicate carl@example.org", "29 email.duplicate carl@example.org",
        "30 account.unproven dan@example.org", "31 account.deleted fay@example.org",
        "32 active gus@example.org \(may) \(gus) bcrypt", "33 account.machine -",
      ]
    ),
    (
      .firebase, "firebase.json",
      [
        "2 active user1@example.org \(may) c776983d-3dbc-5bc8-b549-4f1cbc0ae01e firebase-scrypt",
        "14 disabled bob@example.org \(may) 2b1ca6a8-8434-50e8-b0ee-af79ff642f4a firebase-scrypt",
        "26 hash.missing eve@example.org", "42 email.duplicate Carl@example.org",
        "54 email.duplicate carl@EXAMPLE.ORG",
        "66 active dan@example.org \(may) 8b0b58a2-d779-5b5a-92bf-64e9a9c664b3 firebase-scrypt", "78 email.missing -",
      ]
    ),
    (
      .pocketbase, "pocketbase.json",
      [
        "1 active Ann@example.org \(may) a6f30b0f-59c4-5ce2-a108-096284b4c81a bcrypt",
        "2 active bob@example.org \(may) 8d0ec312-bced-5ee7-b405-f2b7534835b9 bcrypt",
        "3 hash.missing eve@example.org", "4 email.duplicate Carl@example.org", "5 email.duplicate carl@EXAMPLE.ORG",
        "6 active dan@example.org \(may) c92303c3-6915-510f-aea4-cb2011f26a0f bcrypt",
      ]
    ),
    (
      .django, "django.jsonl",
      [
        "1 passed over", "2 active Ann@example.org \(may) 57849e1f-ff0f-5609-ac39-e4b98c2b5d93 pbkdf2-sha256",
        "3 disabled bob@example.org \(may) dc645659-5045-52f9-b4f7-64d9911f74bf bcrypt-sha256",
        "4 hash.missing eve@example.org", "5 email.duplicate Carl@example.org", "6 email.duplicate carl@EXAMPLE.ORG",
        "7 email.missing dan", "8 hash.unsupported fay@example.org",
      ]
    ),
    (
      .wordpress, "wordpress.csv",
      [
        "2 active Ann@example.org \(may) 0ae24acf-cb20-5cf3-a0d7-14882c6bc22c bcrypt-hmac-sha384",
        "3 active bob@example.org \(may) a3796957-9c3a-5688-8035-2f82c090ee24 phpass",
        "4 hash.unsupported eve@example.org", "5 email.duplicate Carl@example.org",
        "6 email.duplicate carl@EXAMPLE.ORG", "7 email.missing dan",
      ]
    ),
    (
      .devise, "devise.csv",
      [
        "2 active Ann@example.org \(may) 378570ed-5a38-532d-a376-ba1717a57d61 bcrypt",
        "3 active bob@example.org \(may) b2ea081d-e891-5cd3-aad8-8d339557380c bcrypt", "4 hash.missing eve@example.org",
        "5 email.duplicate Carl@example.org", "6 email.duplicate carl@EXAMPLE.ORG",
        "7 account.unproven fay@example.org",
      ]
    ),
    (
      .laravel, "laravel.json",
      [
        "1 active Ann@example.org \(may) 56615f1d-4ef4-5194-9080-94b4ca9d8561 bcrypt",
        "2 active bob@example.org \(may) 6da519bc-87ce-52b1-b385-cc0bff0a827b bcrypt", "3 hash.missing eve@example.org",
        "4 email.duplicate Carl@example.org", "5 email.duplicate carl@EXAMPLE.ORG", "6 account.deleted fay@example.org",
      ]
    ),
    (
      .auth0, "auth0.json",
      [
        "1 active Ann@example.org - 4e0297db-700d-522f-9b2d-462e56e8a4dc bcrypt",
        "2 active bob@example.org - d9fab33f-5a91-55cc-a7c2-290577ad66b9 bcrypt", "3 hash.missing eve@example.org",
        "4 email.duplicate Carl@example.org", "5 email.duplicate carl@EXAMPLE.ORG",
      ]
    ),
    (
      .aspnet, "aspnet.csv",
      [
        "2 active Ann@example.org - \(ann) pbkdf2-sha512", "3 disabled bob@example.org - \(bob) pbkdf2-sha1",
        "4 hash.missing eve@example.org", "5 email.duplicate Carl@example.org", "6 email.duplicate carl@EXAMPLE.ORG",
        "7 record.invalid fay@example.org",
        "8 active dan@example.org - fd4b9928-3c98-5484-80c0-0ca15124eb4c pbkdf2-sha1",
      ]
    ),
    (
      .ldif, "directory.ldif",
      [
        "4 passed over", "11 passed over", "15 active Ann@example.org \(may) \(ann) salted SHA-1",
        "32 disabled bob@example.org \(may) \(bob) sha512-crypt", "51 hash.missing uid=eve,ou=people,dc=example,dc=org",
        "66 email.duplicate uid=carl1,ou=people,dc=example,dc=org",
        "83 email.duplicate uid=carl2,ou=people,dc=example,dc=org",
        "100 email.ambiguous uid=dan,ou=people,dc=example,dc=org",
        "118 hash.unsupported uid=fay,ou=people,dc=example,dc=org",
      ]
    ),
    (
      .passwd, "shadow",
      [
        "1 passed over", "2 passed over", "3 active ann@example.org - 1c4dbb96-e05d-5b99-9827-939936330f96 yescrypt",
        "4 disabled bob@example.org - 7bf3c004-1cbe-5dbf-94bb-12db5366ea9c sha512-crypt", "5 hash.missing eve",
        "6 email.duplicate Carl", "7 email.duplicate carl",
        "8 disabled dan@example.org - 6714c86c-10ed-53fe-a7a7-02349158f5d4 sha512-crypt", "9 hash.unsupported fay",
      ]
    ),
    (
      .passwd, "htpasswd",
      [
        "1 active ann@example.org - 962ff3ff-7701-5bb4-be67-72c60b5d6cea bcrypt",
        "2 hash.unsupported bob@example.org", "3 hash.unsupported eve@example.org",
        "4 hash.unsupported carl@example.org",
      ]
    ),
    (
      .csv, "accounts.csv",
      [
        "2 active Ann@example.org \(may) \(ann) argon2id", "3 disabled bob@example.org \(may) \(bob) bcrypt",
        "4 hash.missing eve@example.org", "5 email.duplicate Carl@example.org", "6 email.duplicate carl@EXAMPLE.ORG",
        "7 record.invalid -",
      ]
    ),
  ]

  @Test("each record becomes an account, or is reported with its line and the reason", arguments: exports.indices)
  func meaning(_ index: Int) throws {
    let (system, file, lines) = Self.exports[index]
    #expect(try Reading(system).lines(Reading.export(file)) == lines)
  }

  @Test("this suite has an export of every system")
  func all() { #expect(Set(Self.exports.map(\.system)) == Set(ForeignSystem.allCases)) }

  @Test(
    "a system's other format has the same results",
    arguments: [
      ("supabase", "supabase-dump.sql", "supabase.csv"), ("firebase", "firebase.json", "firebase.csv"),
      ("pocketbase", "pocketbase.json", "pocketbase.csv"), ("django", "django.jsonl", "django.json"),
      ("wordpress", "wordpress.json", "wordpress.csv"), ("devise", "devise.csv", "devise-dump.sql"),
    ])
  func otherFormat(_ system: String, _ one: String, _ other: String) throws {
    let reading = Reading(try #require(ForeignSystem(rawValue: system)))
    func withoutLines(_ file: String) throws -> [Substring] {
      try reading.lines(Reading.export(file)).map { $0[($0.firstIndex(of: " ") ?? $0.startIndex)...] }
    }
    let lines = try withoutLines(one)
    #expect(lines.count > 5)
    #expect(try withoutLines(other) == lines)
  }

  @Test("an account with an unverified address gets the state that the operator chooses")
  func unproven() throws {
    let file = try Reading.export("keycloak-realm.json")
    func states(_ state: Account.State?) throws -> [String] {
      try Reading(.keycloak, unproven: state).lines(file).filter { $0.contains("dan@") || $0.contains("fay@") }
        .compactMap {
          $0.split(separator: " ").dropFirst().first.map(String.init)
        }
    }
    #expect(try states(nil) == ["active", "account.unproven"])
    #expect(try states(.active) == ["active", "active"])
    #expect(try states(.disabled) == ["disabled", "disabled"])
  }

  @Test("an id that is not a UUID always becomes the same UUID, but a different one in another namespace")
  func ids() throws {
    // python3 -c 'import uuid; print(uuid.uuid5(uuid.UUID("5d2f7a0c-93f4-4f0e-8f6b-0c6f2a7b41d8"), "django:42"))'
    let usual = NamedIDs(namespace: try #require(AccountID(NamedIDs.usualNamespace)))
    #expect(usual.id("42", of: .django) == "000601bc-0633-57de-bca5-d49e79465ff8")
    #expect(usual.id("42", of: .wordpress) != usual.id("42", of: .django))
    #expect(usual.id("0192D3A4-7C1E-7B32-9F00-0123456789AB", of: .csv) == "0192d3a4-7c1e-7b32-9f00-0123456789ab")
    let names = NamedIDs(namespace: try #require(AccountID("6ba7b810-9dad-11d1-80b4-00c04fd430c8")))
    #expect(names.id("42", of: .django) != usual.id("42", of: .django))
  }

  @Test("hashes in a system's own spelling are converted to regd's spelling")
  func spelling() throws {
    #expect(
      SupabaseSource.spelled("$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=abc==$c$d")
        == "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==$c$d")
    #expect(SupabaseSource.spelled("$2a$10$x,sk=y") == "$2a$10$x,sk=y")
    for (kratos, regd) in [
      ("$scrypt$ln=16384,r=8,p=1$YQ==$YmI=", "$scrypt$ln=14,r=8,p=1$YQ$YmI"),
      ("$firescrypt$ln=14,r=8,p=1$a==$b==$Bw==$key", "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==$a==$b=="),
      ("$sha256-crypt$rounds=5000$a$b", "$5$rounds=5000$a$b"), ("$sha512-crypt$a$b", "$6$a$b"),
      ("$argon2id$v=19$m=1,t=1,p=1$a$b", "$argon2id$v=19$m=1,t=1,p=1$a$b"),
    ] {
      #expect(try KratosSource.spelled(kratos) == regd)
    }
    for wrong in ["$scrypt$ln=14000,r=8,p=1$a$b", "$scrypt$ln=0,r=8,p=1$a$b", "$scrypt$r=8$a$b", "$firescrypt$a$b"] {
      #expect(throws: RecordRefusal.malformed(.member("hashed_password"))) { try KratosSource.spelled(wrong) }
    }
  }

  @Test("accounts with the same address in different files are duplicates")
  func acrossFiles() throws {
    let users = try Reading.export("keycloak-users-0.json")
    #expect(
      try Reading(.keycloak).lines(users, Reading.export("keycloak-realm.json")).filter { $0.contains("example.org") }
        .map { $0.split(separator: " ").dropFirst().prefix(2).joined(separator: " ") }.prefix(4) == [
          "email.duplicate Ann@example.org", "email.duplicate bob@example.org", "email.duplicate Ann@example.org",
          "email.duplicate bob@example.org",
        ])
  }
}

/// The page's tables of systems and reasons, compared with the code.
@Suite("The article on importing accounts")
struct AccountImportArticleTests {
  @Test("the page lists every system")
  func systems() throws {
    let rows = try #require(Article.named("MovingIn")).rows("`--from`", "version")
    #expect(rows.compactMap { Article.codes(in: $0[0]).first } == ForeignSystem.allCases.map(\.rawValue))
  }

  @Test("the page lists every reason")
  func reasons() throws {
    let said = LocalizedMessage(EmailMessageKey.syntax)
    let refusals: [RecordRefusal] =
      [
        .tooLarge, .notUTF8, .malformed(.json), .change, .noAddress, .addresses(2), .bareName,
        .address(reason: "email.syntax", message: said), .address(reason: "email.domain", message: said),
        .address(reason: "email.tooLong", message: said), .duplicate(others: [], more: 0), .noPassword, .passwords(2),
        .clearPassword, .family(""), .time(""), .unproven,
        .deleted, .machine, .state(""), .groups, .displayName(reason: "displayName.invalid", message: said),
        .displayName(reason: "displayName.tooLong", message: said),
      ] + [PasswordHashProblem.Reason.malformed, .tooCostly, .tooWeak].map { .hash(PasswordHashProblem($0, said)) }
    let rows = try #require(Article.named("MovingIn")).rows("reason", "what is wrong")
    #expect(Set(rows.flatMap { Article.codes(in: $0[0]) }) == Set(refusals.map(\.reason)))
  }

  @Test("the page contains the namespace of ids and the size of the longest record")
  func numbers() throws {
    let text = try #require(Article.named("MovingIn")).text
    #expect(text.contains(NamedIDs.usualNamespace) && text.contains("more than \(RecordLimit.bytes >> 20) MiB"))
  }
}
