import Glibc
import Linux
import RegdClient
import RegdProcesses
import RehearsedNetworks
import RehearsedUpstream
import TestDoubles
import TestKit
import Testing

/// The doctor as a program, with real mistakes.
@Suite("regctl doctor", .blocking, .timeLimit(.minutes(10)))
struct DoctorTests {
  private struct Findings {
    let status: Int32
    let all: [JSONValue]
    let output: String

    subscript(name: String) -> (verdict: String, evidence: String, advice: String) {
      let found = all.first { $0["name"]?.string == name }
      return (found?["verdict"]?.string ?? "none", found?["evidence"]?.string ?? "", found?["advice"]?.string ?? "")
    }
  }

  private func ask(_ socket: String, _ more: String = "", by starter: String = "") throws -> Findings {
    let (status, output) = try Shell.run("\(starter) $regctl doctor --json \(more)", socket)
    return Findings(status: status, all: JSONValue(output.utf8)?["findings"]?.array ?? [], output: output)
  }

  /// Expects a finding with this verdict, evidence and advice.
  private func expect(
    _ findings: Findings, _ name: String, _ verdict: String, _ words: String = "", type advice: String = "",
    _ location: SourceLocation = #_sourceLocation
  ) {
    let found = findings[name]
    #expect(found.verdict == verdict, "\(findings.output)", sourceLocation: location)
    #expect(found.evidence.contains(words), "\(findings.output)", sourceLocation: location)
    #expect(found.advice.contains(advice), "\(findings.output)", sourceLocation: location)
  }

  @Test("the doctor finds a missing socket, a file in its place and a killed regd, and exits with 1, never with 3")
  func unreachable() throws {
    try TemporaryDirectory.with { directory in
      let path = "\(directory)/s"
      let missing = try ask(path)
      #expect(missing.status == 1)
      expect(missing, "socket", "problem", "\(path) does not exist", type: "systemctl start")
      try TextFile.write("not a process id", to: path)
      try TextFile.write("not a process id", to: "\(path).lock")
      let file = try ask(path)
      expect(file, "socket", "problem", "is a regular file", type: "mv \(path)")
      expect(file, "lock", "problem", "something other than a process id", type: "mv \(path).lock")
    }
    try withRegd { regd in
      regd.process.end(.kill)
      let dead = try ask(regd.socket)
      #expect(dead.status == 1)
      expect(dead, "socket", "problem", "no process listens", type: "systemctl restart")
      expect(dead, "lock", "ok", "a regd that has ended")
    }
    #expect(try Shell.run("$regctl doctor --timeout 0", "/nonexistent").status == 2)
  }

  @Test("the doctor finds nothing wrong with a healthy regd, and finds an invalid or changed configuration")
  func configuration() throws {
    try TemporaryDirectory.with { directory in
      let file = "\(directory)/regd.yaml"
      try TextFile.write("log: {level: info}\n", to: file)
      try withRegd(configuration: file) { regd in
        let well = try ask(regd.socket)
        for name in ["socket", "administration", "configuration", "store", "lock"] { expect(well, name, "ok") }
        try TextFile.write("log:\n  levle: info\n", to: file)
        let bad = try ask(regd.socket)
        #expect(bad.status == 1)
        expect(bad, "configuration", "problem", "\(file):2: log.levle: unknown", type: "--check-config")
        let (status, output) = try Shell.run("$regctl doctor", regd.socket)
        #expect(
          status == 1 && output.contains("problem  configuration")
            && output.contains("\n" + String(repeating: " ", count: 25) + "> editor"), "\(output)")
        try TextFile.write("limits: {idBytes: 512}\n", to: file)
        try Shell.check([("touch -d '1 hour' \(file)", 0, "")], regd.socket)
        expect(try ask(regd.socket), "reload", "warning", "")
      }
    }
  }

  @Test("the doctor finds that a configuration file does not exist, whether it is named or regd has read it")
  func missingConfiguration() throws {
    try TemporaryDirectory.with { directory in
      let file = "\(directory)/regd.yaml"
      expect(
        try ask("\(directory)/s", "--config \(file)"), "configuration", "problem", "\(file):", type: "--check-config")
      try TextFile.write("log: {level: info}\n", to: file)
      try withRegd(configuration: file) { regd in
        FileSystem.remove(file)
        let found = try ask(regd.socket)
        #expect(found.status == 1)
        expect(found, "configuration", "problem", "\(file):", type: "--check-config")
      }
    }
  }

  @Test("the doctor finds that the database was replaced while regd runs")
  func replaced() throws {
    try withRegd { regd in
      try Shell.check(
        [("cp \(regd.database) new && mv new \(regd.database)", 0, "")], regd.socket, in: regd.directory)
      _ = try regd.client().call(
        "registration.register",
        RegdClient.entry(email: "a@example.com", password: "a fine phrase", confirmation: "a fine phrase"))
      let found = try ask(regd.socket)
      #expect(found.status == 1)
      expect(found, "store", "problem", "it was replaced", type: "systemctl restart")
    }
  }

  @Test(
    "another user's doctor finds a directory and a socket that the user may not use",
    .needsRoot)
  func otherUser() throws {
    let nobody = "setpriv --reuid 65534 --regid 65534 --clear-groups"
    let programs = try TemporaryDirectory.make()
    defer { FileSystem.removeDirectory(programs) }
    try #require(chmod(programs, 0o711) == 0)
    try withRegd { regd in
      // the program itself must be reachable for that user
      let starter = "cp $regctl \(programs)/regctl && regctl=\(programs)/regctl && \(nobody)"
      let hidden = try ask(regd.socket, by: starter)
      #expect(hidden.status == 1)
      expect(hidden, "socket", "problem", "nobody may not enter \(regd.directory)", type: "sudo regctl doctor")
      try #require(chmod(regd.directory, 0o711) == 0)
      let denied = try ask(regd.socket, by: starter)
      #expect(denied.status == 1)
      expect(denied, "socket", "problem", "only root may connect", type: "socket.group: regd")
      expect(denied, "lock", "unknown", "nobody may not read")
      let group: gid_t = 54_321
      try #require(chown(regd.socket, 0, group) == 0)
      expect(
        try ask(regd.socket, by: starter), "socket", "problem", "group \(group); nobody is not a member",
        type: "usermod -aG")
      let member = starter.replacing("--clear-groups", with: "--groups \(group)")
      expect(try ask(regd.socket, by: member), "groups", "ok", "nobody is in \(group)")
      try #require(chmod(regd.socket, 0o666) == 0)
      expect(
        try ask(regd.socket, by: starter), "administration", "unknown", "not an admin", type: "sudo regctl doctor")
    }
    try withRegd(["REGD_ACCESS_DENY_USERS": "nobody"]) { regd in
      try #require(chmod(regd.directory, 0o711) == 0 && chmod(regd.socket, 0o666) == 0)
      let starter = "regctl=\(programs)/regctl && \(nobody)"
      let denied = try ask(regd.socket, by: starter)
      expect(denied, "socket", "problem", "uid 65534 may not connect: access.deny", type: "# access.deny; then")
      #expect(denied["administration"].verdict == "none", "\(denied.output)")
    }
  }

  @Test(
    "in a real systemd, the doctor checks the unit, its groups, its limits, its socket and an invalid configuration",
    .needsRoot)
  func systemd() async throws {
    let played = try await BootedSystemd.play(
      "Tests/Programs/RegctlTests/Doctor/doctor.sh", options: ["--unit", "\(Places.root)/systemd/regd.service"])
    #expect(played.facts == 10, "\(played.output)")
  }

  @Test("if a mail system refuses mails to eight addresses, status, journal and doctor quote its reply")
  func mails() throws {
    let variables = [
      "REGD_REGISTRATION_VERIFICATION": "required", "REGD_MAIL_BACKEND": "scripted",
      "REGD_MAIL_FROM": "regd@example.com",
      "REGD_MAIL_SCRIPTED_SEND": "unauthorized",
    ]
    try withRegd(variables) { regd in
      let client = try regd.client()
      expect(try ask(regd.socket), "mail", "ok", "scripted")
      for number in 0..<8 {
        let entry: JSONValue = [
          "email": .string("n\(number)@example.com"), "password": "a fine phrase",
          "passwordConfirmation": "a fine phrase",
        ]
        _ = try client.call("registration.register", entry).get()
      }
      var status = try client.call("daemon.status").get()
      while status["mail"]?["refused"]?.integer != 8 { status = try client.call("daemon.status").get() }
      let words = "refused: 535 5.7.8 authentication failed"
      #expect(status["mail"]?["failure"]?.string == words && status["mail"]?["healthy"]?.bool == false)
      expect(try ask(regd.socket), "mail", "problem", words, type: "mail.smtp.helo")
      let (_, shown) = try Shell.run("$regctl status", regd.socket)
      #expect(shown.contains(words), "\(shown)")
      regd.process.end()
      #expect(regd.process.output.contains(words), "\(regd.process.output)")
    }
  }

  @Test(
    "the doctor finds an unreachable or untrusted upstream, and checks whether the upstream recognizes a repeat",
    .timeLimit(.minutes(10)))
  func upstream() throws {
    for (word, verdict, evidence) in [
      ("offline", "problem", "network.offline (Failed to connect"),
      ("untrusted", "problem", "network.untrusted (SSL"),
      ("accept", "ok", "answers in"),
    ] {
      let step = try Script.Step(word)
      try TemporaryDirectory.with { directory in
        let upstream = try UpstreamServer(
          Script(checkEmail: [step], register: [step], signIn: [step]), directory: directory)
        defer { upstream.stop() }
        var variables = ["REGD_NETWORK_BACKEND": "http", "REGD_NETWORK_HTTP_BASE_URL": upstream.baseURL]
        variables["REGD_NETWORK_HTTP_CA_FILE"] = upstream.caFile
        try withRegd(variables) { regd in
          expect(try ask(regd.socket), "upstream", verdict, evidence)
          guard word == "accept" else { return }
          #expect(upstream.ledger.registrations.isEmpty)
          expect(try ask(regd.socket, "--try-upstream a@example.com"), "repeats", "ok", "returns the same account")
          #expect(upstream.ledger.registrations.count == 1)
          expect(try ask(regd.socket, "--try-upstream a@example.com"), "repeats", "unknown", "already has an account")
          expect(try ask(regd.socket, "--try-upstream nonsense"), "repeats", "unknown", "is not an email address")
        }
      }
    }
  }
}
