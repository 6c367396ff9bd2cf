import Linux
import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

/// From another system's export to its users signing in with their old passwords.
@Suite("Sign-in after an import", .blocking, .timeLimit(.minutes(10)))
struct MovedInTests {
  /// An export, an account in it that may sign in, and the beginning of its old hash in regd's spelling.
  struct Case: Sendable, CustomTestStringConvertible {
    let from: String
    let file: String
    var account = "ann@example.org"
    var password = "a fine phrase"
    let hash: String
    /// Firebase's parameters are options, because the file does not contain them.
    var options = ""
    /// The number of imported accounts, and of refused records.
    let taken: Int
    let refused: Int

    var testDescription: String { "\(from) \(file)" }
  }

  static let exports = "\(Places.root)/Tests/Client/AccountImportTests/Exports"

  static let cases = [
    Case(from: "keycloak", file: "keycloak-realm.json", hash: "$argon2id$v=19$m=256", taken: 3, refused: 5),
    Case(from: "kratos", file: "kratos.json", hash: "$argon2id$v=19$m=256", taken: 4, refused: 4),
    Case(
      from: "kratos", file: "kratos.json", account: "dan@example.org", hash: "$scrypt$ln=10", taken: 4, refused: 4),
    Case(from: "supabase", file: "supabase-dump.sql", hash: "$2a$04$", taken: 3, refused: 6),
    Case(from: "supabase", file: "supabase.csv", hash: "$2a$04$", taken: 3, refused: 6),
    Case(from: "pocketbase", file: "pocketbase.json", hash: "$2a$04$", taken: 3, refused: 3),
    Case(from: "passwd", file: "htpasswd", hash: "$2y$04$", taken: 1, refused: 3),
    Case(
      from: "firebase", file: "firebase.json", account: "user1@example.org", password: "user1password",
      hash: "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==$",
      options: "--firebase-rounds 8 --firebase-mem-cost 14 --firebase-salt-separator Bw==", taken: 3, refused: 4),
    Case(from: "django", file: "django.json", hash: "pbkdf2_sha256$1000$", taken: 2, refused: 5),
    Case(from: "wordpress", file: "wordpress.csv", hash: "$wp$2y$04$", taken: 2, refused: 4),
    Case(
      from: "wordpress", file: "wordpress.json", account: "bob@example.org", hash: "$P$6", taken: 2, refused: 4),
    Case(from: "devise", file: "devise-dump.sql", hash: "$2a$04$", taken: 2, refused: 4),
    Case(from: "laravel", file: "laravel.json", hash: "$2y$04$", taken: 2, refused: 4),
    Case(from: "auth0", file: "auth0.json", hash: "$2b$04$", taken: 2, refused: 3),
    Case(from: "aspnet", file: "aspnet.csv", hash: "$pbkdf2-sha512$i=1000$", taken: 3, refused: 4),
    Case(
      from: "aspnet", file: "aspnet.csv", account: "dan@example.org", hash: "$pbkdf2-sha1$i=1000$", taken: 3, refused: 4
    ),
    Case(from: "ldif", file: "directory.ldif", hash: "{SSHA}", taken: 2, refused: 5),
    Case(from: "passwd", file: "shadow", hash: "$y$j75$", options: "--domain example.org", taken: 3, refused: 4),
    Case(from: "csv", file: "accounts.csv", hash: "$argon2id$v=19$m=256", taken: 2, refused: 4),
  ]

  @Test(
    "the old password signs in, the hash becomes regd's own, and a wrong password is always rejected", arguments: cases)
  func movedIn(_ one: Case) throws {
    // the key of Firebase's published sample
    let key = "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="
    try withRegd(["REGD_HASHING_FIREBASE_KEY": key]) { regd in
      let command = "$regctl import --from \(one.from) \(one.options) \(Self.exports)/\(one.file)"
      let signIn = "$regctl sign-in \(one.account) --password-stdin"
      let (status, output) = try Shell.run(command, regd.socket, in: regd.directory)
      #expect(status == 1 && output.contains("imported \(one.taken), refused \(one.refused)"), "\(output)")
      #expect(try hash(of: one.account, regd).hasPrefix(one.hash))
      try Shell.check(
        [
          ("echo 'a wrong phrase' | \(signIn)", 1, "credentials.rejected"),
          ("echo '\(one.password)' | \(signIn)", 0, "signed in"),
        ], regd.socket, in: regd.directory)
      let renewed = try hash(of: one.account, regd)
      #expect(renewed.hasPrefix("$argon2id$v=19$m=7168,t=5,p=1$"), "\(renewed.prefix(24))")
      try Shell.check(
        [
          ("echo 'a wrong phrase' | \(signIn)", 1, "credentials.rejected"),
          ("echo '\(one.password)' | \(signIn)", 0, "signed in"),
        ], regd.socket, in: regd.directory)
      // the hash differs from the file's by now, but the account is recognized by its id
      let again = try Shell.run(command, regd.socket, in: regd.directory)
      #expect(again.output.contains("imported \(one.taken), refused \(one.refused)"), "\(again.output)")
      #expect(try hash(of: one.account, regd) == renewed)
    }
  }

  private func hash(of email: String, _ regd: RunningRegd) throws -> String {
    let records = try regd.client().call("account.export").get()["records"]?.array ?? []
    let record = records.first { $0["email"]?.string?.lowercased() == email }
    return try #require(record?["passwordHash"]?.string)
  }

  @Test("an account that was disabled there cannot sign in here, and a refused account does not exist")
  func states() throws {
    try withRegd { regd in
      try Shell.check(
        [
          ("$regctl import --from kratos \(Self.exports)/kratos.json", 1, "imported 4, refused 4"),
          ("$regctl account get bob@example.org", 0, "state: disabled"),
          ("$regctl account get bob@example.org", 0, "createdAt: 2024-05-01T09:01:00.122987Z"),
          ("$regctl account get bob@example.org", 0, "id: 00001a2c-5b1e-4c52-9d0e-2f6f3a5c1a2c"),
          ("echo 'a fine phrase' | $regctl sign-in bob@example.org --password-stdin", 1, "account.disabled"),
          ("$regctl account get carl@example.org", 1, "account.notFound"),
          ("$regctl account get eve@example.org", 1, "account.notFound"),
        ], regd.socket, in: regd.directory)
    }
  }

  @Test("an account with an unsupported hash is imported without a password if the operator asks for it")
  func withoutPassword() throws {
    try withRegd { regd in
      let command = "$regctl import --from wordpress \(Self.exports)/wordpress.csv"
      try Shell.check(
        [
          (command, 1, "use --no-password to import the account without a password. (hash.unsupported)"),
          ("$regctl account get eve@example.org", 1, "account.notFound"),
          ("\(command) --no-password --dry-run", 1, "  none: 1\n"),
          ("\(command) --no-password", 1, "imported 3, refused 3"),
          ("\(command) --no-password", 1, "imported 3, refused 3"),
          ("$regctl account get eve@example.org", 0, "state: active"),
          ("echo '*' | $regctl sign-in eve@example.org --password-stdin", 1, "credentials.rejected"),
          ("echo 'a fine phrase' | $regctl sign-in ann@example.org --password-stdin", 0, "signed in"),
        ], regd.socket, in: regd.directory)
      #expect(try hash(of: "eve@example.org", regd) == "*")
    }
  }

  @Test("a CSV export is the same after an import into another regd")
  func roundTrip() throws {
    try withRegd { regd in
      try Shell.check(
        [
          ("$regctl import --from kratos \(Self.exports)/kratos.json", 1, "imported 4"),
          ("$regctl export --to csv out.csv", 0, "4 accounts"), ("stat -c %a out.csv", 0, "600"),
          ("head -n 1 out.csv", 0, "email,password_hash,state,created_at,id,groups,display_name\n"),
          ("$regctl export --to jsonl out.jsonl", 0, "4 accounts"),
          ("$regctl export --to table out", 2, "'jsonl' and 'csv'"),
        ], regd.socket, in: regd.directory)
      try withRegd { other in
        try Shell.check(
          [
            ("$regctl import --from csv \(regd.directory)/out.csv", 0, "imported 4, refused 0"),
            ("$regctl export --to csv - | sort >a; sort \(regd.directory)/out.csv | cmp - a", 0, ""),
            ("$regctl export - | sort >b; sort \(regd.directory)/out.jsonl | cmp - b", 0, ""),
          ], other.socket, in: other.directory)
      }
    }
  }
}
