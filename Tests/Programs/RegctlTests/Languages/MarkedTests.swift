import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@testable import regctl

/// regctl's texts come from the catalogue: in an invented language that marks each text, everything except names is
/// marked.
@Suite("regctl in another language", .blocking, .timeLimit(.minutes(10)))
struct MarkedTests {
  /// Words of commands and options, which are the same in every language.
  private static func words(_ command: JSONValue) -> Set<String> {
    var words: Set<String> = [command["commandName"]?.string ?? ""]
    for argument in command["arguments"]?.array ?? [] {
      words.insert(argument["valueName"]?.string ?? "")
      for name in argument["names"]?.array ?? [] { words.insert(name["name"]?.string ?? "") }
    }
    return (command["subcommands"]?.array ?? []).reduce(words) { $0.union(Self.words($1)) }
  }

  private static func paths(_ command: JSONValue, _ above: String) -> [String] {
    let path = "\(above)\(command["commandName"]?.string ?? "")"
    return [path] + (command["subcommands"]?.array ?? []).flatMap { paths($0, path + " ") }
  }

  @Test("the help of each command is translated")
  func help() throws {
    let (_, json) = try Shell.run("$regctl --experimental-dump-help", "")
    let root = try #require(JSONValue(json.utf8)?["command"])
    let paths = Self.paths(root, "")
    #expect(paths.count > 40)
    // only letters, as in the words below: <base64> is "base"
    let known = Set(Self.words(root).map { String($0.prefix { !$0.isNumber }) }).union(["subcommand", "h", "options"])
    let commands = paths.map { "$\($0) --help" }.joined(separator: "; ")
    let (status, output) = try MarkedRegctl.run(commands)
    #expect(
      status == 0 && output.contains("«Use and administer regd, the registration daemon»"), "\(output.prefix(500))")
    // examples of calls are not translated
    let help = MarkedCatalog.unmarked(output).split(separator: "\n").filter { !$0.hasPrefix("regctl call ") }
    for line in help {
      for word in line.split(whereSeparator: { !$0.isLetter && $0 != "-" }) {
        let bare = word.drop { $0 == "-" }
        #expect(bare.isEmpty || known.contains(String(bare)), "\(word) in: \(line)")
      }
    }
  }

  @Test(
    "errors in a command line are translated",
    arguments: [
      "nonsense", "status --nonsense", "check", "check a b", "check a b c", "status --timeout", "status --timeout x",
      "status --timeout 0", "status --json=yes", "form sideways", "backup ''", "import --from-line 0 x", "recover",
      "top --interval 0", "bench --connections 0", "move", "matrix --jobs 0", "register --code 1 a",
      "import --from csv x --domain y", "import --dry-run x", "export", "validate a --passwords-stdin",
    ])
  func usage(_ arguments: String) throws {
    let (status, output) = try MarkedRegctl.run("$regctl \(arguments)")
    #expect(status == 2, "\(output)")
    let message = output.prefix { $0 != "\n" }
    #expect(MarkedCatalog.unmarked(String(message)) == "regctl: ", "\(output)")
    #expect(output.contains("«Usage: »") && output.contains("for more information.»"), "\(output)")
  }

  @Test(
    "failures without a regd are translated",
    arguments: [
      "status", "check a@b.cc", "account list", "events", "top --once", "bench", "call", "import /nowhere",
      "export /nowhere/x", "breached info /nowhere", "backup x --database /nowhere", "migrate --store /nowhere/x",
      "reload", "matrix /nowhere", "breached check --password-stdin --list /nowhere </dev/null", "form",
    ])
  func failures(_ arguments: String) throws {
    let (status, output) = try MarkedRegctl.run("$regctl \(arguments)")
    #expect(status != 0)
    let message = output.prefix { $0 != "\n" }
    #expect(message.hasPrefix("regctl: «") && MarkedCatalog.unmarked(String(message)) == "regctl: ", "\(output)")
  }

  @Test("results and refusals are translated")
  func results() throws {
    try withRegd { regd in
      let password = "printf 'a fine phrase\\n' | $regctl"
      let (_, output) = try MarkedRegctl.run(
        """
        \(password) validate you@example.com --password-stdin; \(password) register you@example.com --password-stdin
        \(password) register you@example.com --password-stdin; \(password) sign-in you@example.com --password-stdin
        $regctl check you@example.com; $regctl check other@example.com; $regctl status
        $regctl account disable you@example.com; $regctl account delete --yes you@example.com
        $regctl reload; $regctl reload --dry-run; $regctl accept-store; $regctl outbox retry; $regctl mail retry; $regctl backup copy
        echo x >lines; $regctl import lines; $regctl export accounts; $regctl claim resend x
        $regctl bench --requests 5 --method rpc.ping
        """, regd.socket)
      let rest = MarkedCatalog.unmarked(output).replacing("regctl: ", with: "")
      // shorter words and "max" belong to the histogram
      let words = rest.split(whereSeparator: { !$0.isLetter }).filter { $0.count > 2 && $0 != "max" }
      #expect(words.isEmpty, "\(words): \(output)")
      for text in ["«registered you@example.com as ", "«you@example.com is not available»", "«no errors»"] {
        #expect(output.contains(text), "\(output)")
      }
    }
  }

  @Test("the doctor's findings are translated")
  func doctor() throws {
    try withRegd { regd in
      let (_, output) = try MarkedRegctl.run("$regctl doctor", regd.socket)
      let names = Set(DoctorCheck.all.map(\.name))
      for line in MarkedCatalog.unmarked(output).split(separator: "\n") where !line.contains("> ") {
        for word in line.split(separator: " ") { #expect(names.contains(String(word)), "\(line)") }
      }
      #expect(output.contains("«ok»"), "\(output)")
    }
  }

  @Test("a broken catalogue is reported, and regctl continues in English")
  func broken() throws {
    try TemporaryDirectory.with { directory in
      let (status, output) = try Shell.run(
        "echo 'regctl.top: [' >\(directory)/qaa.yaml; $regctl --version; $regctl nonsense", "/nowhere", in: nil,
        ["LC_ALL": "qaa.UTF-8", "REGD_MESSAGES_DIRECTORY": directory])
      #expect(status == 2)
      #expect(
        output.contains("\(directory)/qaa.yaml:1 ") && output.contains("there is no command \"nonsense\""), "\(output)")
    }
  }
}
