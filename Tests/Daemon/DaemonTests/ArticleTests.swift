import ConfigurationFile
import RegdClient
import RegdProcesses
import RehearsedNetworks
import TestDoubles
import TestKit
import Testing

@testable import Daemon

/// Compares the articles with the daemon: configuration, metrics, environments and files. If the daemon has a list,
/// both directions are checked.
@Suite("Articles about the daemon", .blocking, .timeLimit(.minutes(10)))
struct ArticleTests {
  private func article(_ name: String) throws -> Article { try #require(Article.named(name)) }

  private func first(_ rows: [[String]]) -> [String] { rows.map { Article.codes(in: $0[0]).first ?? "" } }

  @Test("every path that an article names exists")
  func paths() {
    var count = 0
    for article in Article.all {
      let links = article.text.matches(of: /\]\(([^)#]+)\)/).map { String($0.1) }
      for path in article.codes + links where isPath(path) {
        count += 1
        #expect(Article.exists(path), "\(article.name) names \(path)")
      }
    }
    #expect(count > 40)
  }

  /// Whether a text is a path without a placeholder such as FLOOR.
  private func isPath(_ text: String) -> Bool {
    let folders = ["Sources/", "Tests/", "Config/", "systemd/", ".ci/"]
    let isBelow = folders.contains { text.hasPrefix($0) }
    return isBelow && !text.contains(/[ *,{}]|\b[A-Z]{4}|\.\.\./)
  }

  @Test("the README has at most 120 lines and links every article")
  func readme() throws {
    let readme = try article("README")
    #expect(readme.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 121)
    for other in Article.all where other.name != "README" {
      #expect(readme.text.contains("/\(other.name).md)"), "\(other.name)")
    }
  }

  @Test("the first page has a line about each article, in the groups of its list")
  func firstPage() throws {
    let parts = try article("regd").text.split(separator: "\n## Topics\n")
    try #require(parts.count == 2)
    let described = entries(parts[0], below: "## ", /- <doc:(\w+)>: .+/)
    let listed = entries(parts[1], below: "### ", /- <doc:(\w+)>/)
    #expect(described == listed)
    #expect(Set(listed.map(\.article)) == Set(Article.all.map(\.name)).subtracting(["README", "regd"]))
  }

  private struct Entry: Hashable {
    let group: String
    let article: String
  }

  private func entries(_ text: Substring, below mark: String, _ entry: Regex<(Substring, Substring)>) -> [Entry] {
    var group = ""
    return text.split(separator: "\n").compactMap { line in
      if line.hasPrefix(mark) { group = String(line.dropFirst(mark.count)) }
      return line.wholeMatch(of: entry).map { Entry(group: group, article: String($0.output.1)) }
    }
  }

  @Test("the glossary has at most 20 words, each once")
  func glossary() throws {
    let words = try article("regd").rows("word", "meaning").flatMap { $0[0].split(separator: ", ") }
    #expect(words.count > 10 && words.count <= 20)
    #expect(Set(words).count == words.count)
  }

  @Test("each heading of the article on troubleshooting is a message of regd or regctl")
  func messages() throws {
    let headings = try article("Troubleshooting").text.matches(of: /\n### `(.+)`\n/).map { $0.output.1 }
    #expect(headings.count > 30)
    let places = ["Sources", "Config/messages/en.yaml", "systemd/regd.catalog"].map { "\(Places.root)/\($0)" }
    for heading in headings {
      // Words in capitals are placeholders for values.
      for part in heading.split(separator: /[A-Z]{3,}\b/.wordBoundaryKind(.simple)) {
        let text = String(part.trimmingPrefix(/[ "().,:;]+/).replacing(/[ "().,:;]+$/, with: ""))
        guard text.count > 5 else { continue }
        let words = ["-rqF", "--include=*.swift", "--include=*.yaml", "--include=*.catalog", "-e", text] + places
        let run = try TemporaryDirectory.with {
          try RegdProcess.run(program: "/usr/bin/grep", arguments: words, directory: $0)
        }
        #expect(run.status == 0, "\(text)")
      }
    }
  }

  @Test("the article on the architecture lists every module in its layer")
  func modules() throws {
    let rows = try article("Architecture").rows("module", "layer")
    let documented = Set(rows.map { "\($0[1])/\(Article.codes(in: $0[0]).joined())" })
    for layer in ["Core", "System", "Adapters", "Client", "Daemon", "Rehearsal", "Programs"] {
      for module in Article.names(in: "Sources/\(layer)") {
        #expect(documented.contains("\(layer)/\(module)"), "\(layer)/\(module)")
      }
    }
  }

  @Test("the documented command for a custom folder of messages changes that key, and no other")
  func ownFolder() throws {
    let command = try #require(try article("Languages").text.split(separator: "\n").first { $0.contains("sed -i") })
    try TemporaryDirectory.with { directory in
      let before = try #require(TextFile.read("\(Places.root)/Config/regd.yaml"))
      try TextFile.write(before, to: "\(directory)/f.yaml")
      let here = String(command.replacing("/etc/regd/regd.yaml", with: "\(directory)/f.yaml"))
      #expect(try RegdProcess.run(program: "/bin/sh", arguments: ["-c", here], directory: directory).status == 0)
      let after = try #require(TextFile.read("\(directory)/f.yaml"))
      let pairs = zip(try ConfigurationFile(yaml: before).entries, try ConfigurationFile(yaml: after).entries)
      let changed = pairs.filter { $0 != $1 }.map { $1.path.joined(separator: ".") }
      #expect(changed == ["messages.directory"])
    }
  }

  @Test("the article on observing lists exactly the metrics of a daemon with an upstream")
  func metrics() throws {
    try withRegd(["REGD_NETWORK_BACKEND": "scripted"]) { regd in
      let text = try #require(try regd.client().call("daemon.metrics").get()["text"]?.string)
      let real = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }.map { String($0.dropFirst(7)) }
      let documented = try article("Observing").rows("metric", "type")
        .map { "\(Article.codes(in: $0[0]).joined()) \($0[1])" }
      #expect(documented.sorted() == real.sorted())
    }
  }

  @Test(
    "the article on monitoring lists exactly the shipped alerts, and the rules and the dashboard name existing metrics"
  )
  func alerts() throws {
    let rules = try #require(Article.file("Config/monitoring/regd.rules.yml"))
    let alerts = rules.matches(of: /- alert: ([A-Za-z]+)\n/).map { String($0.output.1) }
    let documented = first(try article("Monitoring").rows("alert"))
    #expect(alerts.count == 11 && documented == alerts)
    let dashboard = try #require(Article.file("Config/monitoring/regd-dashboard.json"))
    let metrics = first(try article("Observing").rows("metric", "type"))
    let suffixes = ["", "_total", "_bucket"]
    for name in Set((rules + dashboard).matches(of: /regd_[a-z_]+/).map { String($0.output) })
    where !name.hasPrefix("regd_door_") {
      #expect(metrics.contains { metric in suffixes.contains { metric + $0 == name } }, "\(name)")
    }
  }

  @Test("the articles list exactly the conditions and backends that the configuration accepts")
  func choices() async throws {
    let conditions = first(try article("Environments").rows("condition"))
    #expect(conditions == (try await choices("environment.gives", "REGD_ENVIRONMENT_GIVES")))
    let backends = try article("Configuration").rows("key", "value")
    for key in ["mail.backend", "network.backend", "store.backend"] {
      let documented = backends.filter { $0[0] == "`\(key)`" }.flatMap { Article.codes(in: $0[1]) }
      let variable = "REGD_" + key.uppercased().replacing(".", with: "_")
      #expect(documented.sorted() == (try await choices(key, variable)).sorted())
    }
  }

  /// The values that a key accepts, taken from its error.
  private func choices(_ key: String, _ variable: String) async throws -> [String] {
    let refusal = await #expect(throws: ConfigurationError.self) {
      _ = try await Settings(file: nil, environment: [variable: "nothing like it", "REGD_SOCKET_GROUP": ""])
    }
    let text = "\(try #require(refusal))"
    let list = try #require(text.firstMatch(of: #/must be one of (.+), not /#)?.output.1, "\(text)")
    return list.replacing(",", with: "").split(separator: " ").map(String.init)
  }

  @Test("the article on configuration lists exactly the sections, and whether a reload applies them")
  func sections() async throws {
    let rows = try article("Configuration").rows("section", "live")
    let documented = rows.map { "\(Article.codes(in: $0[0]).joined()) \($0[1])" }
    var reader = SettingsReader(
      try await ConfigurationLayers(file: nil, arguments: [], environment: ["REGD_SOCKET_GROUP": ""]))
    _ = Settings(&reader)
    let sections = Dictionary(grouping: reader.values.all) { $0.name.prefix { $0 != "." } }
    let real = sections.map { "\($0.key) \($0.value.allSatisfy(\.isFixed) ? "no" : "yes")" }
    #expect(documented.sorted() == real.sorted())
    #expect(sections.values.allSatisfy { Set($0.map(\.isFixed)).count == 1 })
  }

  @Test("the reference of keys contains each key with its environment variable")
  func keys() async throws {
    let layers = try await ConfigurationLayers(file: nil, arguments: [], environment: ["REGD_SOCKET_GROUP": ""])
    var reader = SettingsReader(layers)
    _ = Settings(&reader)
    let text = try article("ConfigurationReference").text
    // an environment is a configuration for tests, and doors have names that the operator chooses
    for key in reader.keys where !key.hasPrefix("environment.") && key != "doors" {
      #expect(text.contains("\n### \(key)\n"), "\(key)")
      #expect(text.contains("variable `\(layers.variable(key))`"), "\(layers.variable(key))")
    }
  }

  @Test("the article on environments lists exactly the steps that a script may have")
  func steps() throws {
    let rows = try article("Environments").rows("step")
    #expect(rows.flatMap { Article.codes(in: $0[0]) }.sorted() == Script.Step.words.sorted())
  }

  // MARK: Names

  @Test("each text that looks like the name of a method, an event, a reason or a configuration key is such a name")
  func names() throws {
    let file = try #require(Article.file("Config/regd.yaml"))
    var keys = Set(["environment", "environment.name", "environment.summary", "environment.gives"])
    for entry in try ConfigurationFile(yaml: file).entries {
      for count in 1...entry.path.count { keys.insert(entry.path.prefix(count).joined(separator: ".")) }
    }
    // The last four: a file, a column of a table, the web sign-up's own reason, a key of the kernel.
    var known = keys.union([
      "form.changed", "form.event", "events.happened", "regd.sock.new", "installation.id", "regd.away",
      "net.core.somaxconn",
    ])
    known.formUnion(first(try article("Methods").rows("method")))
    known.formUnion(first(try article("Events").rows("event")))
    known.formUnion(try article("Errors").rows("code", "reason").flatMap { Article.codes(in: $0[1]) })
    known.formUnion(first(try article("Registering").rows("reason")))
    known.formUnion(first(try article("Administering").rows("reason")))
    known.formUnion(try article("MovingIn").rows("reason").flatMap { Article.codes(in: $0[0]) })
    let endings = [
      "css", "js", "key", "php", "py", "yaml", "service", "socket", "lock", "sock", "db", "regd", "jsonl", "txt",
      "docc", "md", "yml", "cf", "conf",
    ]
    for article in Article.all {
      for code in article.codes where code.wholeMatch(of: /[a-z][A-Za-z]+(\.[a-z][A-Za-z]+)+/) != nil {
        guard !endings.contains(where: { code.hasSuffix(".\($0)") }) else { continue }
        #expect(known.contains(code), "\(article.name) names \(code)")
      }
    }
  }
}
