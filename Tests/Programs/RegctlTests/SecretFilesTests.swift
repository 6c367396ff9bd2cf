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

  @Test("even under umask 0, the store, lock, mails, backup, exports, report and moved store have mode 0600")
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
            ("umask 0; $regctl move --to $PWD/moved.db", 0, "account: 1 row"),
          ], regd.socket, in: directory)
        let own = try wide(regd.directory, ignoring: ["regd.yaml", "log"])
        #expect(own.wide.isEmpty && own.seen.contains("regd.db") && own.seen.contains("regd.db-wal"), "\(own)")
        let made = try wide(directory, ignoring: ["in"])
        #expect(made.wide.isEmpty, "\(made)")
        for name in ["report", "out.jsonl", "out.csv", "backup.db", "moved.db"] { #expect(made.seen.contains(name)) }
        #expect(made.seen.contains { $0.hasPrefix("mails/") })
      }
    }
  }

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
