import ArgumentParser
import Glibc
import RegdClient
import TestDoubles
import TestKit
import Testing

@testable import regctl

@Suite("Commands")
struct CommandTests {
  @Test("every command has a name, because ArgumentParser otherwise reflects on all commands at each start")
  func names() {
    func nameless(_ command: any ParsableCommand.Type) -> [String] {
      let below = command.configuration.subcommands.flatMap(nameless)
      return command.configuration.commandName == nil ? below + ["\(command)"] : below
    }
    #expect(nameless(Regctl.self) == [])
    #expect(Regctl.configuration.subcommands.count > 20)
  }

  @Test(
    "an unknown first word causes an error with the nearest command",
    arguments: [("login", "sign-in"), ("registr", "register"), ("passwd", "password"), ("acount", "account")])
  func unknown(word: String, nearest: String) {
    let error = #expect(throws: ValidationError.self) { try CommandNames.check([word, "--json"]) }
    #expect(error?.message == "there is no command \"\(word)\"; did you mean \"\(nearest)\"?")
  }

  @Test("a first word that resembles no command causes an error with the list of commands")
  func unlike() {
    let error = #expect(throws: ValidationError.self) { try CommandNames.check(["frobnicate"]) }
    #expect(error?.message.hasPrefix("there is no command \"frobnicate\"; choose from ") == true)
    #expect(CommandNames.all.allSatisfy { error?.message.contains($0) == true })
  }

  @Test("help refuses an unknown command at each level")
  func help() throws {
    for (words, says) in [
      ("help nonsense", "there is no command \"nonsense\"; choose from validate, check, "),
      ("help registr", "there is no command \"registr\"; did you mean \"register\"?"),
      ("help login", "did you mean \"sign-in\"?"),
      ("help account creat", "there is no command \"creat\"; did you mean \"create\"?"),
      ("help account nonsense", "choose from get, list, "), ("help check it", "regctl check has no subcommands"),
    ] {
      let error = #expect(throws: ValidationError.self) {
        try CommandNames.check(words.split(separator: " ").map(String.init))
      }
      #expect(error?.message.contains(says) == true, "\(error?.message ?? words)")
    }
    try Shell.check(
      [
        ("$regctl help nonsense", 2, "there is no command"), ("$regctl help account create", 0, "USAGE"),
        ("$regctl help", 0, "USAGE"), ("$regctl help help", 0, ""),
      ], "/nonexistent/s")
  }

  @Test("ArgumentParser reads known commands, options, help and an empty command line")
  func known() throws {
    for words in [
      [], ["--help"], ["help", "import"], ["help", "account", "get"], ["help", "help"], ["help", "--hidden"], ["-x"],
    ] + CommandNames.all.map({ [$0, "x"] }) {
      try CommandNames.check(words)
    }
    #expect(Set(CommandNames.elsewhere.values).subtracting(CommandNames.all) == [])
  }

  @Test("each command is in exactly one group of the help, and each group is named after its users")
  func groups() {
    let groups = Regctl.configuration.groupedSubcommands
    #expect(groups.map(\.name) == ["caller", "account owner", "administrator", "operator", "client author"])
    #expect(Regctl.configuration.ungroupedSubcommands.isEmpty)
    let names = groups.flatMap(\.subcommands).compactMap { $0.configuration.commandName }
    #expect(names.count == Set(names).count && names.count > 25)
  }

  @Test(
    "the help of every program begins with imperatives and nouns, and its placeholders name the value",
    arguments: ["regctl", "regd", "regd-tools", "regd-matrix", "regd-simulate", "regd-manual"])
  func helpTexts(_ program: String) throws {
    let (status, output) = try Shell.run("\(Places.programs)/\(program) --experimental-dump-help", "/nonexistent/s")
    #expect(status == 0)
    func check(_ command: JSONValue) {
      guard let name = command["commandName"]?.string, name != "help" else { return }
      let abstract = command["abstract"]?.string ?? ""
      let verb = abstract.prefix { $0 != " " && $0 != "," }
      #expect(verb.count > 1 && !verb.hasSuffix("s") && !["The", "An"].contains(verb), "\(name): \(abstract)")
      #expect(!abstract.hasSuffix("."), "\(name): \(abstract)")
      for argument in command["arguments"]?.array ?? [] where argument["shouldDisplay"]?.bool == true {
        let text = argument["abstract"]?.string ?? ""
        guard !text.isEmpty, !text.hasPrefix("Show ") else { continue }
        #expect(!["The ", "A ", "An ", "How "].contains(where: text.hasPrefix), "\(name): \(text)")
        #expect(!text.hasSuffix(".") || text.contains(". "), "\(name): \(text)")
        let value = argument["valueName"]?.string ?? ""
        let isOption = argument["kind"]?.string == "option"
        #expect(!isOption || !["timeout", "socket", "limit", "rate", "params"].contains(value), "\(name): \(value)")
      }
      for next in command["subcommands"]?.array ?? [] { check(next) }
    }
    check(try #require(JSONValue(output.utf8)?["command"]))
  }

  @Test("the usage is wrapped to the width of the terminal")
  func usage() throws {
    for command in ["bench --help", "bench --nonsense", "register --help"] {
      let (_, output) = try Shell.run("$regctl \(command) 2>&1", "/nonexistent/s")
      #expect(output.split(separator: "\n").allSatisfy { $0.count <= 120 }, "\(output)")
    }
  }

  @Test(
    "every program reads its arguments without /proc", .needsRoot)
  func withoutProc() throws {
    func without(_ command: String) -> String { "unshare -m sh -c 'umount -l /proc && \(command)'" }
    try Shell.check(
      [
        (without("$regctl --version"), 0, "regctl "), (without("\(Places.regd) --version"), 0, "regd "),
        (without("$regctl status"), 3, "cannot connect to /nonexistent/s: regd is not running"),
        (without("$regctl backup /nonexistent/b"), 3, "cannot connect to /nonexistent/s: regd is not running"),
        (without("${regctl%/*}/regd-login --help"), 0, "use regd-login pam"),
        (without("PAM_USER=a@x.org $regctl pam --seconds 1 </dev/null"), 1, ""),
        (without("\(Places.regd) --no-such-option"), 78, "no-such-option"),
        (without("\(Places.programs)/regd-simulate --promises"), 0, "\t"),
        (without("\(Places.programs)/regd-manual --help"), 0, "Make the man pages of regd"),
      ], "/nonexistent/s")
  }
}
