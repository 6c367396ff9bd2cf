import Linux
import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

/// The modes of all files that regd and regctl create, under the widest umask.
@Suite("Files with secrets", .blocking, .timeLimit(.minutes(10)))
struct SecretFilesTests {
  /// A program that starts regd with the widest umask.
  private static let widest = ["/bin/sh", "-c", "umask 0; exec \"$@\"", "sh"]

  /// The regular files below a directory, except those in `ignored`, and the ones with a mode wider than 0600.
  private func wide(_ directory: String, ignoring ignored: Set<String> = []) throws -> (seen: [String], wide: [String])
  {
    var (seen, wide): ([String], [String]) = ([], [])
    for name in try FileSystem.names(in: directory).sorted() {
      let status = try FileStatus("\(directory)/\(name)", followsLink: false)
      if status.kind == .directory {
        let below = try self.wide("\(directory)/\(name)")
        seen += below.seen.map { "\(name)/\($0)" }
        wide += below.wide.map { "\(name)/\($0)" }
      } else if status.kind == .regular, !ignored.contains(name) {
        seen.append(name)
        if status.permissions & 0o177 != 0 { wide.append("\(name) \(String(status.permissions, radix: 8))") }
      }
    }
    return (seen, wide)
  }

  @Test(
    "even under umask 0, the store, its lock and known clients, mails, backup, exports, report, heads and moved store have mode 0600"
  )
  func umask() throws {
    try TemporaryDirectory.with { directory in
      try FileSystem.makeDirectory("\(directory)/mails")
      let mail = [
        "REGD_MAIL_BACKEND": "file", "REGD_MAIL_FROM": "noreply@example.com",
        "REGD_MAIL_FILE_DIRECTORY": "\(directory)/mails", "REGD_REGISTRATION_VERIFICATION": "required",
      ]
      try withRegd(mail, startedBy: Self.widest) { regd in
        let hash = "$2b$04$F3dFOc91lvb0VxCGVmYJdeX9F7otD0D84am6E66dQRnmikfZD16Xy"
        let rows = "a@b.cc,\(hash)\nd@e.ff,5f4dcc3b5aa765d61d8327deb882cf99\n"
        try TextFile.write("email,password_hash\n\(rows)", to: "\(directory)/in")
        let client = try regd.client()
        _ = try client.call(
          "registration.register",
          RegdClient.entry(email: "n@example.com", password: "a fine phrase", confirmation: "a fine phrase")
        ).get()
        while try FileSystem.names(in: "\(directory)/mails").filter({ $0.hasSuffix(".eml") }).isEmpty {
          _ = try client.call("daemon.status").get()
        }
        try Shell.check(
          [
            ("umask 0; $regctl import --from csv --report report in", 1, "imported 1, refused 1"),
            ("umask 0; $regctl export out.jsonl", 0, "1 account"),
            ("umask 0; $regctl export --to csv out.csv", 0, "1 account"),
            ("umask 0; $regctl backup backup.db", 0, "1 account"),
            ("umask 0; $regctl migrate --store $PWD/backup.db", 0, "the schema is up to date (version "),
            ("umask 0; $regctl audit head --append heads", 0, "\"size\":"),
          ], regd.socket, in: directory)
        try signInSomebody(client)
        while FileSystem.isMissing("\(regd.database).clients") { _ = try client.call("daemon.status").get() }
        try Shell.check(
          [("umask 0; $regctl move --to $PWD/moved.db", 0, "account: 2 rows")], regd.socket, in: directory)
        let own = try wide(regd.directory, ignoring: ["regd.yaml", "log"])
        #expect(own.wide.isEmpty, "\(own)")
        for name in ["regd.db", "regd.db-wal", "regd.db.clients"] { #expect(own.seen.contains(name), "\(own)") }
        let made = try wide(directory, ignoring: ["in"])
        #expect(made.wide.isEmpty, "\(made)")
        let names = ["report", "out.jsonl", "out.csv", "backup.db", "heads", "moved.db"]
        #expect(Set(names).isSubset(of: made.seen), "\(made)")
        #expect(made.seen.contains { $0.hasPrefix("mails/") })
      }
    }
  }

  /// Makes an account and signs in to it, so that regd writes the file of known clients.
  private func signInSomebody(_ client: RegdClient) throws {
    let password: JSONValue = "a fine phrase"
    _ = try client.call(
      "account.create", ["email": "known@example.com", "password": password, "passwordConfirmation": password]
    ).get()
    _ = try client.call(
      "session.signIn", ["email": "known@example.com", "password": password, "origin": "home"]
    ).get()
  }

  /// If regd created a file and set its mode afterwards, others could open it in between. The test above would not see that.
  @Test("regd and regctl create no file that others may open, not even for an instant")
  func created() throws {
    let programs = ["regctl", "regd", "regd-login", "regd-tools", "UserMessages"].map { "Programs/\($0)" }
    let files = try (["Core", "System", "Adapters", "Client", "Daemon"] + programs)
      .flatMap { try SourceFiles.swift(in: "Sources/\($0)") }
    var seen = 0
    for (path, text) in files where !Self.notSecret.contains(path) {
      for option in text.matches(of: /\.(creating|creatingNew|nameless)\b|O_CREAT\b/) {
        seen += 1
        let call = text[option.range.upperBound...].prefix { $0 != ")" }
        #expect(call.contains("0o600"), "\(path): \(option.0)\(call)")
      }
      #expect(!text.contains("FileWriting.write(") && !text.contains("fopen("), "\(path)")
    }
    // one or two for each kind of file in the test above
    #expect(seen >= 9, "\(seen)")
  }

  /// Files that define how files are created, and the list of breached passwords, which is public.
  private static let notSecret: Set<String> = [
    "Sources/System/Linux/Files/FileWriting.swift", "Sources/System/Linux/Descriptor.swift",
    "Sources/Adapters/BreachedPasswords/FileBeside.swift",
  ]

  @Test("a move keeps the mode of the source, and gives others no access")
  func mode() throws {
    try withRegd { regd in
      for (mode, kept) in [("640", "640"), ("600", "600"), ("664", "660")] {
        try Shell.check(
          [
            (
              "umask 0; chmod \(mode) regd.db && $regctl move --to $PWD/moved.db && stat -c mode=%a moved.db", 0,
              "mode=\(kept)\n"
            ),
            ("$regctl move --to $PWD/moved.db --abandon", 0, "is unchanged"), ("chmod 600 regd.db", 0, ""),
          ], regd.socket, in: regd.directory)
      }
    }
  }

  @Test("a move into an existing file removes all access of others, at its first step and when it continues")
  func existing() throws {
    try withRegd { regd in
      let steps = "$regctl move --to $PWD/moved.db && stat -c mode=%a moved.db"
      try Shell.check(
        [
          ("umask 0; install -m 644 /dev/null moved.db && \(steps)", 0, "mode=640\n"),
          ("umask 0; chmod 646 moved.db && \(steps)", 0, "mode=640\n"),
        ], regd.socket, in: regd.directory)
    }
  }
}
