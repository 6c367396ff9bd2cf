import Linux
import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

/// A configuration that is refused changes nothing, whatever else is in it.
@Suite("Reload: refused", .blocking, .timeLimit(.minutes(10)))
struct ReloadRefusalTests {
  /// A valid change, which precedes each mistake.
  private static let good = "limits: {depth: 32}\npassword: {minimumLength: 12}\n"

  @Test("an unknown key, a wrong value or a broken text is refused with file, line and key, and nothing changes")
  func wrong() throws {
    try ReloadableRegd.with { it in
      for (yaml, says) in [
        ("limts: {depth: 4}", "regd.yaml:3: limts.depth: unknown; did you mean \"limits.depth\"?"),
        ("signIn: {authority: loud}", "regd.yaml:3: signIn.authority: must be one of"),
        ("signIn: {throttle: [", "regd.yaml:"),
        ("email: {maximumLength: 0}", "regd.yaml:3: email.maximumLength: must be a whole number from"),
        ("network: {backend: http}", "regd.yaml: network.http.baseURL: is missing"),
      ] {
        let lines = try it.refused(Self.good + yaml)
        #expect(lines.first == "configuration.refused")
        #expect(lines.dropFirst().contains { $0.contains(says) }, "\(lines)")
        try unchanged(it)
      }
      // The corrected file is accepted.
      #expect(try it.reload(Self.good) == ["limits.depth", "password.minimumLength"])
      #expect(try it.limit("depth") == 32)
    }
  }

  @Test("a key that cannot change while regd runs is refused with the old and the new value, and nothing is applied")
  func fixed() throws {
    try ReloadableRegd.with("hashing: {queue: 100}\n") { it in
      for (yaml, says) in [
        ("socket: {mode: \"0600\"}", "socket.mode: cannot change while regd runs: it is 0660 and would be 0600"),
        ("hashing: {queue: 101}", "hashing.queue: cannot change while regd runs: it is 100 and would be 101"),
        ("hashing: {queue: 100, memoryKiB: 20480}", "hashing.memoryKiB: cannot change while regd runs: it is 19456"),
        (
          "store: {sqlite: {lockSeconds: 1}}",
          "store.sqlite.lockSeconds: cannot change while regd runs: it is 5 and would be 1"
        ),
      ] {
        let lines = try it.refused(Self.good + yaml)
        #expect(lines.contains { $0.hasPrefix("\(it.file):3: \(says)") }, "\(lines)")
        #expect(lines.allSatisfy { !$0.contains("limits.depth") })
        try unchanged(it)
      }
      // Removing a key is also a change. It has no line, so that the message names only the file.
      let lines = try it.refused(Self.good)
      #expect(
        lines.contains {
          $0.hasPrefix("\(it.file): hashing.queue: cannot change while regd runs: it is 100 and would be 256")
        },
        "\(lines)")
    }
  }

  @Test("a file that is missing, unreadable or not a regular file is refused, and the daemon keeps running")
  func files() throws {
    try ReloadableRegd.with("limits: {depth: 16}") { it in
      FileSystem.remove(it.file)
      #expect(try it.refusal().contains { $0.contains("cannot be read: No such file") })
      try FileSystem.makeDirectory(it.file)
      #expect(try it.refusal().contains { $0.contains("is not a regular file") })
      FileSystem.removeDirectory(it.file)
      try TextFile.write("limits: {depth: \u{FFFD}}", to: it.file)
      #expect(try it.refusal().count == 2)
      #expect(try it.limit("depth") == 16)
      #expect(try it.generation() == 1)
    }
  }

  @Test("a mistake that only opening finds is reported before anything is applied")
  func midway() throws {
    try ReloadableRegd.with { it in
      let list = "\(it.file).list"
      try TextFile.write("no list at all", to: list)
      let lines = try it.refused("limits: {depth: 32}\npassword: {minimumLength: 12, breachedList: \(list)}")
      #expect(lines.contains { $0.contains("password.breachedList:") }, "\(lines)")
      try unchanged(it)
      #expect(try it.status()["breachedPasswords"]?["path"]?.string == "")
    }
  }

  @Test("a dry run finds the same mistakes, applies nothing and reports the changes")
  func dryRun() throws {
    try ReloadableRegd.with { it in
      #expect(try it.reload(Self.good, dryRun: true) == ["limits.depth", "password.minimumLength"])
      try unchanged(it)
      try it.write(Self.good + "foo: 1")
      guard case .failure(let error) = try it.client.call("daemon.reload", ["dryRun": .bool(true)]) else {
        Issue.record("taken")
        return
      }
      #expect(error.reason == "configuration.refused")
      #expect(!it.regd.process.output.contains("The new configuration was refused"))
    }
  }

  @Test("regctl reload prints the changes, or all mistakes with exit status 1")
  func regctl() throws {
    try ReloadableRegd.with { it in
      try it.write(Self.good)
      #expect(
        try regctl(["reload", "--dry-run"], it)
          == "the configuration is valid; a reload would change: limits.depth, password.minimumLength\n[0]")
      #expect(
        try regctl(["reload"], it) == "configuration reloaded; changed: limits.depth, password.minimumLength\n[0]")
      #expect(try regctl(["reload"], it) == "configuration reloaded; nothing has changed\n[0]")
      try it.write("foo: 1\nsocket: {path: /elsewhere}")
      let output = try regctl(["reload"], it)
      #expect(output.hasSuffix("[1]") && output.contains("\(it.file):1: foo: unknown"), "\(output)")
      try reached { it.regd.process.output.contains("The new configuration was refused; the running one is unchanged") }
      // As in ExecReload= of a unit: regctl uses the socket on which the main process listens.
      try it.write("")
      let found = try Program.run(
        ["/bin/sh", "-c", "env -u REGD_SOCKET_PATH MAINPID=\(it.regd.process.pid) \(Places.regctl) reload"],
        in: it.regd.directory)
      #expect(found.contains("configuration reloaded; changed: limits.depth"), "\(found)")
    }
  }

  private func regctl(_ words: [String], _ it: ReloadableRegd) throws -> String {
    let line = ([Places.regctl] + words + ["--socket", it.regd.socket]).joined(separator: " ")
    return try Program.run(["/bin/sh", "-c", "\(line) 2>&1; echo [$?]"], in: it.regd.directory).trimmingEnd
  }

  private func unchanged(_ it: ReloadableRegd) throws {
    #expect(try it.limit("depth") == 64)
    #expect(try it.problems("name@example.com", "nine char") == [])
    #expect(try it.generation() == 1)
  }
}

extension String {
  fileprivate var trimmingEnd: String { hasSuffix("\n") ? String(dropLast()) : self }
}
