import ConfigurationFile
import JSONRPC
import Linux
import Registration
import SQLiteStore
import TestDoubles
import TestKit
import Testing
import WireProtocols

@testable import Daemon

@Suite("Settings")
struct SettingsTests {
  private func settings(
    _ yaml: String, _ arguments: [String] = [], _ environment: [String: String] = [:]
  ) async throws(ConfigurationError) -> Settings {
    let variables = ["REGD_SOCKET_GROUP": ""].merging(environment) { $1 }
    return try await Settings(file: ("f.yaml", yaml), arguments: arguments, environment: variables)
  }

  @Test("a mistake is reported with its file, line and key, and with the correct form", arguments: refused.indices)
  func refuses(_ index: Int) async {
    let (yaml, says) = Self.refused[index]
    do {
      _ = try await settings(yaml)
      Issue.record("taken: \(yaml)")
    } catch {
      #expect("\(error)".contains(says), "\(error)")
    }
  }

  @Test("all mistakes are reported at once")
  func atOnce() async {
    do {
      _ = try await settings("limits: {depth: x}\nlog: {level: y}\nfoo: 1", ["--stor-backend", "z"], ["REGD_FOO": "1"])
      Issue.record("taken")
    } catch {
      #expect(error.problems.count == 5)
    }
  }

  @Test("regd offers the known name that a mistyped variable or option resembles")
  func unknown() async {
    for (arguments, variables, says) in [
      (["--store-bakend", "memory"], [:], "--store-bakend: unknown; did you mean \"--store-backend\"?"),
      (["--store-backend"], [:], "--store-backend: a value is missing"),
      (["--doors-a-path", "/x"], [:], "--doors-a-path: unknown; doors can be set only in the configuration file"),
      ([], ["REGD_DOORS_A_PATH": "/x"], "REGD_DOORS_A_PATH: unknown; doors can be set only in the configuration file"),
      ([], ["REGD_DOORS": "a"], "REGD_DOORS: unknown; doors can be set only in the configuration file"),
      (["stray"], [:], "stray: unknown"),
      (
        [], ["REGD_STORE_BAKEND": "memory"], "REGD_STORE_BAKEND: unknown; did you mean \"REGD_STORE_BACKEND\"?"
      ),
      ([], ["REGD_LIMITS_DEPTH": "x"], "REGD_LIMITS_DEPTH: limits.depth: must be a whole number"),
      (["--limits-depth=x"], [:], "--limits-depth: limits.depth: must be a whole number"),
      (
        [], ["REGD_SOCKET_GROUP": "no-such-group-here"],
        "REGD_SOCKET_GROUP: socket.group: there is no group \"no-such-group-here\""
      ),
      ([], ["CREDENTIALS_DIRECTORY": "/nonexistent"], "CREDENTIALS_DIRECTORY: /nonexistent cannot be read"),
    ] as [([String], [String: String], String)] {
      do {
        _ = try await settings("", arguments, variables)
        Issue.record("taken: \(arguments) \(variables)")
      } catch {
        #expect("\(error)".contains(says), "\(error)")
      }
    }
  }

  @Test("an unknown key is reported before the problems that it causes")
  func cause() async {
    do {
      _ = try await settings("network: {backend: http, http: {baseUrl: \"https://a.example\"}}")
      Issue.record("taken")
    } catch {
      #expect(error.problems.map(\.key) == ["network.http.baseUrl", "network.http.baseURL"], "\(error)")
      #expect(error.problems.first?.message == "unknown; did you mean \"network.http.baseURL\"?")
    }
  }

  @Test("an option without a value causes a single error, for each key and in both spellings")
  func missingValues() async throws {
    let layers = try await ConfigurationLayers(file: nil, arguments: [], environment: [:])
    var reader = SettingsReader(layers)
    _ = Settings(&reader)
    let keys = reader.keys.filter { $0 != "doors" }
    let usual = keys.map { "--" + layers.variable($0).dropFirst(5).lowercased().replacing("_", with: "-") }
    for options in [usual, keys.map { "--" + $0.replacing(".", with: "-") }, ["--log-level", "--store-backend"]] {
      do {
        _ = try await settings("log: {level: debug}", options)
        Issue.record("taken")
      } catch {
        let expected = options.map { ConfigurationProblem(place: $0, key: nil, message: "a value is missing") }
        #expect(error.problems == expected, "\(error)")
      }
    }
  }

  @Test("the error about a value names the option, variable or line that sets it, or states that it is the default")
  func places() async {
    for (file, arguments, variables, place) in [
      (nil, [], [:], "default value"), ("log: {level: debug}", [], [:], "f.yaml"),
      ("mail:\n  from: \"\"", [], [:], "f.yaml:2"), (nil, [], ["REGD_MAIL_FROM": ""], "REGD_MAIL_FROM"),
      (nil, ["--mail-from", ""], ["REGD_MAIL_FROM": ""], "--mail-from"),
    ] as [(String?, [String], [String: String], String)] {
      let mail = ["REGD_MAIL_BACKEND": "scripted", "REGD_SOCKET_GROUP": ""].merging(variables) { $1 }
      do {
        _ = try await Settings(file: file.map { (path: "f.yaml", text: $0) }, arguments: arguments, environment: mail)
        Issue.record("taken: \(place)")
      } catch {
        #expect("\(error)".hasPrefix("\(place): mail.from: is missing; "), "\(error)")
      }
    }
  }

  @Test("the command line overrides the environment, the environment credentials, and credentials the file")
  func layers() async throws {
    try await withTemporaryDirectory { directory in
      try TextFile.write("error", to: "\(directory)/log-level")
      let credentials = ["CREDENTIALS_DIRECTORY": directory]
      let file = "log: {level: debug}"
      #expect(try await settings(file).log.level == "debug")
      #expect(try await settings(file, [], credentials).log.level == "error")
      let both = credentials.merging(["REGD_LOG_LEVEL": "notice"]) { $1 }
      #expect(try await settings(file, [], both).log.level == "notice")
      #expect(try await settings(file, ["--log-level", "trace"], both).log.level == "trace")
      #expect(try await settings(file, ["--log-level=trace"], both).log.level == "trace")
    }
  }

  @Test("an option may have the key's own spelling, with hyphens for the dots")
  func ownSpelling() async throws {
    for arguments in [
      ["--hashing-memoryKiB", "20000"], ["--hashing-memoryKiB=20000"], ["--hashing-memory-ki-b", "20000"],
    ] {
      #expect(try await settings("", arguments).hashing.memoryKiB == 20_000, "\(arguments)")
    }
    let more = ["--signIn-throttle=false", "--network-http-baseURL", "https://A.example", "--network-backend=http"]
    let both = try await settings("", more)
    #expect(both.signIn.throttle == false && both.network.backend == "http")
    for (arguments, says) in [
      (["--hashing-memoryKiB", "x"], "--hashing-memoryKiB: hashing.memoryKiB: must be a whole number"),
      (["--hashing-memoryKiB"], "--hashing-memoryKiB: a value is missing"),
      (["--hashing-memoryMiB=20000"], "--hashing-memoryMiB: unknown"),
      (["--hashing-MEMORYKiB=20000"], "--hashing-MEMORYKiB: unknown"),
      (["--hashing-memory-KiB=20000"], "--hashing-memory-KiB: unknown"),
    ] {
      await #expect("\(says)") { try await settings("", arguments) } throws: { "\($0)".contains(says) }
    }
  }

  @Test("each key can be given as an option in its own spelling")
  func everyOwnSpelling() async throws {
    var reader = SettingsReader(try await ConfigurationLayers(file: nil, arguments: [], environment: [:]))
    _ = Settings(&reader)
    for key in reader.keys where key != "doors" {
      let option = "--" + key.replacing(".", with: "-")
      let layers = try await ConfigurationLayers(file: nil, arguments: [option, "A,b"], environment: [:])
      let value = layers.value(key)
      #expect(value?.items == ["A,b"] && value?.place == option, "\(key): \(String(describing: value))")
    }
  }

  @Test("every layer accepts lists and values with commas")
  func lists() async throws {
    let expected = ["a.example", "b.example"]
    #expect(try await settings("email: {blockedDomains: [a.example, b.example]}").email.blockedDomains == expected)
    #expect(try await settings("email: {blockedDomains: a.example}").email.blockedDomains == ["a.example"])
    let variable = ["REGD_EMAIL_BLOCKED_DOMAINS": "a.example, b.example"]
    #expect(try await settings("", [], variable).email.blockedDomains == expected)
    #expect(
      try await settings("", ["--email-blocked-domains", "a.example,b.example"]).email.blockedDomains == expected)
    #expect(try await settings("", ["--socket-path", "/tmp/a,b"]).socket.path == "/tmp/a,b")
    #expect(try await settings("socket: {path: /tmp/x}", ["--socket-group", ""]).socket.place.group == nil)
  }

  @Test(
    "a section without keys has its defaults", arguments: ["access:", "access: {}", "access: {admin: {}}", "doors:"])
  func emptySection(_ yaml: String) async throws {
    #expect(try await settings(yaml) == settings(""))
  }

  @Test("every layer can empty a list, here of administrators' groups, and missing groups are reported")
  func emptied() async throws {
    let absent = "access: {admin: {groups: [no-such-group]}}"
    #expect(
      try await settings(absent).unknownMembers == [.init(key: "access.admin.groups", name: "group no-such-group")])
    #expect(try await settings("access: {admin: {groups: []}}").unknownMembers.isEmpty)
    #expect(try await settings(absent, ["--access-admin-groups="]).unknownMembers.isEmpty)
    #expect(try await settings(absent, ["--access-admin-groups", ""]).unknownMembers.isEmpty)
    #expect(try await settings(absent, [], ["REGD_ACCESS_ADMIN_GROUPS": ""]).unknownMembers.isEmpty)
  }

  @Test("access.deny names users and groups in the same way as access.admin, and missing ones are reported")
  func denied() async throws {
    await #expect(throws: ConfigurationError.self) { try await settings("access: {deny: {uids: [root]}}") }
    await #expect(throws: ConfigurationError.self) { try await settings("access: {deny: {root: true}}") }
    let denied = "deny: {uids: [7], users: [root, no-such-user], groups: [\"20\", no-such-group]}"
    let read = try await settings("access: {admin: {groups: []}, \(denied)}")
    #expect(read.access.rules.denied == .init(uids: [0, 7], gids: [20]))
    #expect(
      read.unknownMembers == [
        .init(key: "access.deny.users", name: "user no-such-user"),
        .init(key: "access.deny.groups", name: "group no-such-group"),
      ])
  }

  @Test("a list in a variable or an option must not contain an empty item", arguments: ["1,,2", ",", "1, ", " ,1"])
  func emptyItem(_ list: String) async {
    for (arguments, variables) in [
      ([], ["REGD_ACCESS_ADMIN_UIDS": list]), (["--access-admin-uids=\(list)"], [:]),
    ] as [([String], [String: String])] {
      do {
        _ = try await settings("", arguments, variables)
        Issue.record("taken: \(arguments) \(variables)")
      } catch {
        #expect("\(error)".contains("access.admin.uids: contains an empty item"), "\(error)")
      }
    }
  }

  @Test("names and values that contain a terminal's control characters are escaped")
  func visible() async {
    do {
      let variables = ["REGD_\u{1B}]0;x": "1", "REGD_LIMITS_DEPTH": "\u{202E}8"]
      _ = try await settings("\"\\e[2J\": 1\n", ["--\u{7}x=1"], variables)
      Issue.record("taken")
    } catch {
      #expect(error.problems.count == 4)
      let text = "\(error)"
      let commands: Set<Unicode.Scalar> = ["\u{1B}", "\u{7}", "\u{202E}"]
      #expect(!text.unicodeScalars.contains { commands.contains($0) }, "\(text.debugDescription)")
      for name in [#"\u{1B}[2J"#, #"--\u{07}x"#, #"REGD_\u{1B}]0;x"#, #"not "\u{202E}8""#] {
        #expect(text.contains(name), "\(text)")
      }
    }
  }

  @Test("~/ is the home directory of the user who runs regd, in every path")
  func home() async throws {
    let yaml = "socket: {path: ~/.regd/a.sock}\nstore: {sqlite: {path: ~/b/c.db}}\nmessages: {directory: ~/own}"
    for home in ["/home/a", "/home/a/"] {
      let settings = try await settings(yaml, [], ["HOME": home])
      #expect(settings.socket.path == "/home/a/.regd/a.sock")
      #expect(settings.store.chosen.path == "/home/a/b/c.db")
      #expect(settings.messages.directory == "/home/a/own")
    }
    #expect(try await settings("", ["--socket-path=~/s"], ["HOME": "/home/a"]).socket.path == "/home/a/s")
    await #expect(throws: ConfigurationError.self) { try await settings(yaml, [], ["HOME": "none"]) }
  }

  @Test("an unchanged limit of a part does not prevent a smaller limit of the whole")
  func nested() async throws {
    let shipped = try #require(TextFile.read("\(Places.root)/Config/regd.yaml"))
    let small = [
      "REGD_LIMITS_CONNECTIONS": "1", "REGD_LIMITS_IN_FLIGHT_PER_UID": "1",
      "REGD_LIMITS_QUEUED_BYTES_PER_UID": "65536", "REGD_LIMITS_REQUEST_SECONDS": "3",
    ]
    #expect(try await settings(shipped, [], small).limits.limits.connections == 1)
  }

  @Test(
    "the default time for sending a mail must also be less than requestSeconds, because its lease would end first",
    arguments: ["backend: event", "backend: sendmail", "backend: smtp, smtp: {url: \"smtp://localhost\"}"])
  func mailTime(_ backend: String) async throws {
    let text = "mail: {from: a@example.com, \(backend)}\nlimits: {requestSeconds:"
    await #expect { try await settings("\(text) 20}") } throws: {
      "\($0)".contains(
        "Seconds: must be less than limits.requestSeconds, which is 20; it is 20 where nothing is written")
    }
    #expect(try await settings("\(text) 21}").limits.limits.requestSeconds == 21)
  }

  @Test("an argument that is not an option gets a hint how to name a file, and a mistyped option the nearest one")
  func options() async throws {
    for (arguments, says) in [
      (["/etc/regd/x.yaml"], "/etc/regd/x.yaml: unknown; to give a configuration file: --config /etc/regd/x.yaml"),
      (["-c", "x"], "-c: unknown; did you mean \"--config\"?"), (["--confg", "x"], "mean \"--config\"?"),
      (["-V"], "-V: unknown; did you mean \"--version\"?"), (["--store-backnd", "x"], "mean \"--store-backend\"?"),
    ] {
      await #expect("\(says)") { try await settings("", arguments) } throws: { "\($0)".contains(says) }
    }
  }

  @Test("a setting that has no effect is accepted, so that another network can be tried out")
  func unused() async throws {
    let upstream = "network: {backend: http, whenUnreachable: refuse, http: {baseURL: \"https://a.example\"}}"
    for backend in ["none", "offline", "unavailable", "scripted"] {
      #expect(try await settings(upstream, ["--network-backend", backend]).network.backend == backend)
      #expect(try await settings(upstream, [], ["REGD_NETWORK_BACKEND": backend]).network.backend == backend)
    }
    let readOnly = "store: {sqlite: {readOnly: true, maximumKiB: 1000}}"
    #expect((try await settings(readOnly).store.chosen as? SQLiteBackend)?.isReadOnly == true)
    #expect(
      try await settings("environment:\n  name: x\n  gives: success\n  summary: |\n    a\n    b").environment != nil)
  }

  @Test("the sender of mails keeps the part before the @ as written, and has its domain as A-labels")
  func sender() async throws {
    let mail = try await settings("mail: {backend: scripted, from: No.Reply@Bücher.example}").mail
    #expect(mail.from == "No.Reply@xn--bcher-kva.example")
    #expect(mail.backend == "scripted")
    #expect(try await settings("mail: {from: a@b.example}").mail.chosen == nil)
  }

  @Test("the sender's name and the site come from every layer, and are empty by default")
  func site() async throws {
    let shipped = try await settings("")
    #expect(shipped.mail.fromName.isEmpty && shipped.site.name.isEmpty && shipped.site.url.isEmpty)
    let yaml = "mail: {fromName: \"Käserei, Inc.\"}\nsite: {name: Example, url: \"https://example.com\"}"
    let written = try await settings(yaml)
    #expect(written.mail.fromName == "Käserei, Inc." && written.mail != shipped.mail)
    #expect(written.site.name == "Example" && written.site.url == "https://example.com")
    let variables = ["REGD_MAIL_FROM_NAME": "b", "REGD_SITE_URL": "d"]
    let overridden = try await settings(yaml, ["--mail-fromName", "a", "--site-name=c"], variables)
    #expect(overridden.mail.fromName == "a" && overridden.site.name == "c" && overridden.site.url == "d")
  }

  @Test("a list of realistic length is read, but not every mistake in it is reported")
  func longList() async throws {
    let domains = (0..<20_000).map { "domain-\($0).example" }
    let list = { (items: [String]) in "email:\n  blockedDomains:\n" + items.map { "  - \($0)\n" }.joined() }
    #expect(try await settings(list(domains)).email.blockedDomains == domains)
    do {
      _ = try await settings(list(domains.map { ".\($0)" }))
      Issue.record("taken")
    } catch {
      #expect(error.problems.count == 20)
    }
    let foreign = (0..<1000).map { "key\($0): 1\n" }.joined()
    do {
      _ = try await settings(foreign)
      Issue.record("taken")
    } catch {
      #expect(error.problems.count == 101)
      #expect(error.problems.last?.place == "f.yaml:101")
    }
  }

  @Test("the shipped file contains exactly the defaults")
  func shipped() async throws {
    let text = try #require(TextFile.read("\(Places.root)/Config/regd.yaml"))
    #expect(try await settings(text) == settings(""))
  }

  @Test("the shipped file contains every key, and no other")
  func shippedKeys() async throws {
    let text = try #require(TextFile.read("\(Places.root)/Config/regd.yaml"))
    var reader = SettingsReader(try await ConfigurationLayers(file: nil, arguments: [], environment: [:]))
    _ = Settings(&reader)
    let written = try ConfigurationFile(yaml: text).entries.map { $0.path.joined(separator: ".") }
    #expect(written == reader.keys.filter { !$0.hasPrefix("environment.") })
  }

  @Test("the shipped environments are valid, and have the names of their files")
  func environments() async throws {
    let files = try FileSystem.names(in: Places.environments)
    #expect(!files.isEmpty)
    for file in files {
      let text = try #require(TextFile.read("\(Places.environments)/\(file)"))
      let environment = try await settings(text).environment
      #expect("\(environment?.name ?? "").yaml" == file)
      #expect(environment?.summary.isEmpty == false)
    }
  }
}
