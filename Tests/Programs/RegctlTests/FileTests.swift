import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@Suite("Files that regctl creates", .blocking, .timeLimit(.minutes(10)))
struct FileTests {
  @Test("a backup replaces no other file, is complete while regd runs, and can be the store of another regd")
  func backup() throws {
    try withRegd { regd in
      let client = try regd.client()
      for number in 0..<3 {
        guard
          case .object(let members) = RegdClient.entry(
            email: "n\(number)@example.com", password: "a fine phrase", confirmation: "a fine phrase")
        else { return }
        _ = try client.call(
          "registration.register", .object(members + [.init("requestId", .string("r\(number)"))])
        ).get()
      }
      try TextFile.write("precious", to: "\(regd.directory)/notes")
      try Shell.check(
        [
          ("$regctl backup notes", 1, "is not a regd backup"), ("cat notes", 0, "precious"),
          ("$regctl backup regd.db", 1, "the store itself"),
          ("ln regd.db link && $regctl backup link", 1, "the store itself"),
          ("mkdir d && $regctl backup d", 1, "is not a regular file"),
          ("$regctl backup regd.db-journal", 1, "belongs to the database"),
          ("$regctl backup ''", 2, "must end with a file name"),
          ("$regctl backup nowhere/b", 1, "nowhere/b cannot be created: there is no directory /"),
          ("$regctl backup nowhere/b 2>&1 | grep -c 'nowhere: install -d -o '", 0, "1"),
          ("$regctl backup notes/b", 1, "notes is not a directory, but must be one; choose another path"),
          ("$regctl backup b --database notes", 1, "cannot be backed up"),
          ("$regctl backup b --database none", 1, "none cannot be backed up: the file does not exist"),
          ("$regctl backup b", 0, "3 accounts"), ("$regctl backup b --json", 0, "\"accounts\":3"),
          ("stat -c %a b", 0, "600"), ("ls | grep -c partial", 1, "0"),
        ], regd.socket, in: regd.directory)
      _ = try client.call("account.delete", ["email": "n0@example.com"]).get()
      // as in the README, the copy replaces the store
      try withRegd(["REGD_STORE_SQLITE_PATH": "\(regd.directory)/b"]) { restored in
        let accounts = try restored.client().call("account.list").get()["accounts"]?.array
        #expect(accounts?.count == 3)
        let status = try restored.client().call("registration.status", ["requestId": "r2"]).get()
        #expect(status["account"]?["email"]?.string == "n2@example.com")
        #expect(try restored.client().call("events.list").get()["events"]?.array?.count == 3)
        try Shell.check(
          [("echo 'a fine phrase' | $regctl sign-in n0@example.com --password-stdin", 0, "signed in")], restored.socket,
          in: restored.directory)
      }
    }
    try withRegd(["REGD_STORE_BACKEND": "memory"]) { regd in
      try Shell.check([("$regctl backup b", 1, "memory, which is not a file")], regd.socket, in: regd.directory)
    }
  }

  @Test("regctl breached builds a list from published hashes, and checks passwords against the list")
  func breached() throws {
    try TemporaryDirectory.with { directory in
      // the hash of "correct horse battery staple"
      try TextFile.write("ABF7AAD6438836DBE526AA231ABDE2D0EEF74D42:3\nnonsense\n", to: "\(directory)/hashes")
      try Shell.check(
        [
          ("$regctl breached build nothing --output list", 1, "nothing cannot be opened"),
          ("$regctl breached info list", 1, "list"), ("$regctl breached build hashes --output list", 0, "1 entries"),
          ("$regctl breached build hashes --output list", 0, "skipped line 2"),
          ("$regctl breached info list --verify", 0, "verified"),
          ("$regctl breached info list --json", 0, "{\"entries\":1,"),
          (
            "echo 'correct horse battery staple' | $regctl breached check --list list --password-stdin", 1,
            "contains this password"
          ),
          ("echo 'correct horse battery' | $regctl breached check --list list --password-stdin", 0, "does not contain"),
        ], "/nonexistent", in: directory)
    }
  }
}
