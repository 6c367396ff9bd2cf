import Glibc
import Linux
import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@testable import Daemon

/// `email.allowedDomains` and `email.blockedDomainsFile`: invalid values, values in force, and reloads.
@Suite("Settings: domains", .blocking, .timeLimit(.minutes(10)))
struct DomainSettingsTests {
  @Test(
    "an item of allowedDomains that would allow no domain is refused with a suggestion",
    arguments: [
      ("com", "\"com\" has no dot, and would allow nothing; write *.com for all domains below it"),
      (".example.org", "write example.org for only that domain, *.example.org for all domains below it"),
      ("@example.org", "write example.org for only that domain"), ("example.org.", "write example.org for only that"),
      (
        "**.Bücher.example",
        "write xn--bcher-kva.example for only that domain, *.xn--bcher-kva.example for all domains below it"
      ),
      ("*.*.example.org", "is not a domain, and would allow nothing; write example.org"),
      ("*", "\"*\" is not a domain such as example.org or *.example.org"),
      ("a*.example.org", "is not a domain such as"),
      ("*.", "is not a domain such as"), ("a_b.example", "is not a domain such as"),
      ("1.2.3.4", "is not a domain such"),
      ("name@example.org", "is not a domain such as"),
    ])
  func refusedItems(_ item: String, says: String) async {
    do {
      _ = try await Settings(
        file: ("f.yaml", "email:\n  allowedDomains: [good.example, \"\(item)\"]"),
        environment: ["REGD_SOCKET_GROUP": ""])
      Issue.record("taken")
    } catch {
      let said = "\(error)"
      #expect(said.hasPrefix("f.yaml:2: email.allowedDomains: \"\(item)\"") && said.contains(says), "\(said)")
    }
  }

  @Test("allowedDomains accepts domains in any case, as U-labels and A-labels, and with a star, also below a top level")
  func takenItems() async throws {
    let items = ["Example.ORG", "*.bücher.example", "xn--bcher-kva.example", "*.example"]
    let yaml = "email: {allowedDomains: [\(items.map { "\"\($0)\"" }.joined(separator: ", "))]}"
    let settings = try await Settings(file: ("f.yaml", yaml), environment: ["REGD_SOCKET_GROUP": ""])
    #expect(settings.email.allowedDomains == items)
    #expect(settings.email.blockedDomainsFile.isEmpty)
  }

  /// The content of the file, nil for a missing file, and the error.
  private static let broken: [(content: String?, says: String)] = [
    (nil, "f.yaml:2: email.blockedDomainsFile: LIST cannot be read: No such file or directory"),
    (
      "good.example\n# c\n*.example.org\n",
      "LIST:3: email.blockedDomainsFile: \"*.example.org\" is not a domain, and would"
    ),
    ("good.example\nexample.net.", "LIST:2: email.blockedDomainsFile: \"example.net.\" is not a domain"),
    ("0.0.0.0 ads.example\n", "LIST:1: email.blockedDomainsFile: \"0.0.0.0 ads.example\" is not a domain such as"),
    ("a.example\n\u{1B}[2J\n", "LIST:2: email.blockedDomainsFile: \"\\u{1B}[2J\" is not a domain"),
    ("\u{0}\n", "LIST:1: email.blockedDomainsFile: \"\\0\" is not a domain"),
  ]

  @Test("an invalid list stops the start and --check-config with 78 and names the line, and regctl doctor reports it")
  func refusedFiles() throws {
    try TemporaryDirectory.with { directory in
      let (list, file) = ("\(directory)/list", "\(directory)/f.yaml")
      try TextFile.write("store: {backend: memory}\nemail: {blockedDomainsFile: \(list)}", to: file)
      func start(_ more: [String]) throws -> (status: Int32, output: String) {
        // All runs in a directory write to the same file.
        FileSystem.remove("\(directory)/run.log")
        return try RegdProcess.run(
          program: Places.regd,
          arguments: ["--config", file, "--socket-path", "\(directory)/s", "--socket-group="] + more,
          directory: directory)
      }
      func expect(_ says: String) throws {
        for more in [[], ["--check-config"]] {
          let (status, output) = try start(more)
          #expect(status == 78 && output.contains(says.replacing("LIST", with: list)), "\(says): \(status) \(output)")
        }
      }
      for (content, says) in Self.broken {
        FileSystem.remove(list)
        if let content { try TextFile.write(content, to: list) }
        try expect(says)
      }
      try FileWriting.write(Array("a.example\n".utf8) + [0xFF, 0x0A], to: list)
      try expect("LIST:2: email.blockedDomainsFile: is not UTF-8")
      // Only some of many errors are reported, and little of a file of another kind without line ends.
      try TextFile.write(String(repeating: "no domain\n", count: 1000), to: list)
      let some = try start(["--check-config"]).output
      #expect(some.split(separator: "\n").count == 20, "\(some)")
      try TextFile.write(String(repeating: "no domain ", count: 100_000), to: list)
      let short = try start(["--check-config"]).output
      #expect(short.utf8.count < 1000, "\(short.prefix(2000))")
      // regd neither waits for a pipe to open nor reads it.
      FileSystem.remove(list)
      #expect(mkfifo(list, 0o600) == 0)
      try expect(
        "f.yaml:2: email.blockedDomainsFile: LIST is a directory, a device or a pipe, but must be a regular file")
      FileSystem.remove(list)
      try FileSystem.makeDirectory(list)
      try expect("LIST is a directory, a device or a pipe")
      FileSystem.removeDirectory(list)
      #expect(symlink("/dev/zero", list) == 0)
      try expect("LIST is a directory, a device or a pipe")
      FileSystem.remove(list)
      try TextFile.write("# none yet\n", to: list)
      let good = try start(["--check-config"])
      #expect(good.status == 0 && good.output.contains(": valid"), "\(good.output)")
      let doctor = try Program.run(
        [
          "/bin/sh", "-c",
          "echo 'no domain' >\(list); \(Places.regctl) doctor --config \(file) --socket \(directory)/s; echo [$?]",
        ], in: directory)
      let words = doctor.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("\(list):1: email.blockedDomainsFile: \"no domain\" is not a domain"), "\(doctor)")
    }
  }

  @Test("a list must not be a file that regd writes")
  func conflict() async {
    do {
      _ = try await Settings(
        file: ("f.yaml", "email: {blockedDomainsFile: /v/d-wal}\nstore: {sqlite: {path: /v/d}}"),
        environment: ["REGD_SOCKET_GROUP": ""])
      Issue.record("taken")
    } catch {
      #expect("\(error)".contains("email.blockedDomainsFile: must be a separate file"), "\(error)")
    }
  }

  @Test("both settings apply to every registration and change of address, but not to existing accounts")
  func inForce() throws {
    try ReloadableRegd.with { it in
      let client = try it.client
      func problems(_ method: String, _ params: JSONValue) throws -> [String] {
        guard case .failure(let error) = try client.call(method, params) else { return [] }
        return (error.data["problems"]?.array ?? []).compactMap { $0["reason"]?.string }
      }
      func register(_ email: String) throws -> [String] {
        try problems(
          "registration.register",
          RegdClient.entry(email: email, password: "a fine phrase", confirmation: "a fine phrase"))
      }
      #expect(try register("old@spam.example") == [])
      let list = "\(it.file).list"
      try TextFile.write("\u{FEFF}# blocked\r\n  SPAM.example\r\nbücher.example", to: list)
      #expect(
        try it.reload("email: {allowedDomains: [spam.example, \"*.example\"], blockedDomainsFile: \(list)}")
          == ["email.allowedDomains", "email.blockedDomainsFile"])
      for (email, reasons) in [
        ("a@spam.example", ["email.domain"]), ("a@x.SPAM.example", ["email.domain"]),
        ("a@xn--bcher-kva.example", ["email.domain"]), ("a@good.example", []),
        ("a@example.org", ["email.domainNotAllowed"]),
      ] {
        #expect(try it.problems(email, "a fine phrase") == reasons, "\(email)")
        #expect(try register(email) == reasons, "\(email)")
        #expect(try problems("registration.checkEmail", ["email": .string(email)]) == reasons, "\(email)")
      }
      let form = try #require(try client.call("form.open", ["kind": "registration"]).get()["form"])
      let state = try client.call("form.set", .object([.init("form", form), .init("email", "a@example.org")])).get()
      #expect(state["state"]?["problems"]?.array?.first?["reason"]?.string == "email.domainNotAllowed")
      let owner: [JSONValue.Member] = [.init("email", "old@spam.example"), .init("password", "a fine phrase")]
      _ = try client.call("session.signIn", .object(owner)).get()
      for (email, reason) in [("b@example.org", "email.domainNotAllowed"), ("b@spam.example", "email.domain")] {
        let change = try client.call("owner.changeEmail", .object(owner + [.init("newEmail", .string(email))]))
        guard case .failure(let error) = change else {
          Issue.record("changed")
          continue
        }
        let problem = error.data["problems"]?.array?.first
        #expect(problem?["reason"]?.string == reason && problem?["field"]?.string == "newEmail")
      }
      // Imports are exempt, because only administrators import.
      let moved: JSONValue = [
        "records": .array([.object([.init("email", "b@spam.example"), .init("passwordHash", .string("*"))])])
      ]
      let refused = try client.call("account.import", moved).get()["refused"]?.array ?? []
      #expect(refused.compactMap { $0["reason"]?.string }.allSatisfy { !$0.hasPrefix("email.") })
    }
  }

  @Test("a reload reads the file again, and refuses an invalid file with its line while all stays as it was")
  func reload() throws {
    try ReloadableRegd.with { it in
      let list = "\(it.file).list"
      let yaml = "email: {blockedDomainsFile: \(list)}"
      try TextFile.write("a.example", to: list)
      #expect(try it.reload(yaml) == ["email.blockedDomainsFile"])
      try TextFile.write("b.example\n", to: list)
      #expect(try it.reload(yaml, dryRun: true) == ["email.blockedDomainsFile"])
      #expect(try it.problems("n@a.example", "a fine phrase") == ["email.domain"])
      #expect(try it.reload(yaml) == ["email.blockedDomainsFile"])
      #expect(try it.problems("n@a.example", "a fine phrase") == [])
      #expect(try it.problems("n@b.example", "a fine phrase") == ["email.domain"])
      #expect(try it.reload(yaml) == [])
      let generation = try it.generation()
      func expectRefused(_ says: String) throws {
        let lines = try it.refused("limits: {depth: 32}\n\(yaml)")
        #expect(lines.first == "configuration.refused" && lines.contains { $0.hasPrefix(says) }, "\(lines)")
        #expect(try it.limit("depth") == 64)
        #expect(try it.problems("n@b.example", "a fine phrase") == ["email.domain"])
        #expect(try it.generation() == generation)
      }
      try TextFile.write("c.example\n\nno domain\n", to: list)
      try expectRefused("\(list):3: email.blockedDomainsFile: \"no domain\" is not a domain")
      FileSystem.remove(list)
      try expectRefused("\(it.file):2: email.blockedDomainsFile: \(list) cannot be read: No such file")
      #expect(mkfifo(list, 0o600) == 0)
      try expectRefused("\(it.file):2: email.blockedDomainsFile: \(list) is a directory, a device or a pipe")
      #expect(try it.reload("") == ["email.blockedDomainsFile"])
      #expect(try it.problems("n@b.example", "a fine phrase") == [])
    }
  }

  @Test("a list of a million lines needs at most 48 MiB, also while another list replaces it and older forms are open")
  func million() throws {
    try ReloadableRegd.with { it in
      let list = "\(it.file).list"
      let before = try it.regd.memoryKiB("VmRSS")
      let forms = try it.client
      for round in 0..<6 {
        try TextFile.write((0..<1_000_000).map { "host-\($0).domain-\(round).example\n" }.joined(), to: list)
        try it.reload("email: {blockedDomainsFile: \(list)}")
        _ = try forms.call("form.open", ["kind": "registration"]).get()
        #expect(try it.problems("n@host-999999.domain-\(round).example", "a fine phrase") == ["email.domain"])
      }
      #expect(try it.problems("n@host-999999.domain-4.example", "a fine phrase") == [])
      let (most, now) = (try it.regd.memoryKiB("VmHWM") - before, try it.regd.memoryKiB("VmRSS") - before)
      #expect(most < 48 << 10, "\(most) KiB")
      // Memory holds one list, and no earlier list.
      #expect(now < 20 << 10, "\(now) KiB")
    }
  }
}
