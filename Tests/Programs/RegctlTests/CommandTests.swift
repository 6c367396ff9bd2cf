import ArgumentParser
import Glibc
import Sentences
import TestDoubles
import TestKit
import Testing

@testable import regctl

@Suite("Commands")
struct CommandTests {
  @Test("every command says its name: at each start ArgumentParser asks all of them, and reflects on what is silent")
  func names() {
    func nameless(_ command: any ParsableCommand.Type) -> [String] {
      let below = command.configuration.subcommands.flatMap(nameless)
      return command.configuration.commandName == nil ? below + ["\(command)"] : below
    }
    #expect(nameless(Regctl.self) == [])
    #expect(Regctl.configuration.subcommands.count > 20)
  }

  @Test(
    "a first word that is no command is told, with the nearest one",
    arguments: [("login", "sign-in"), ("registr", "register"), ("passwd", "password"), ("acount", "account")])
  func unknown(word: String, nearest: String) {
    let error = #expect(throws: ValidationError.self) { try CommandNames.check([word, "--json"]) }
    #expect(error?.message == "There is no command \"\(word)\"; did you mean \"\(nearest)\"?")
  }

  @Test("a first word that resembles no command is answered with the list of commands")
  func unlike() {
    let error = #expect(throws: ValidationError.self) { try CommandNames.check(["frobnicate"]) }
    #expect(error?.message.hasPrefix("There is no command \"frobnicate\"; the commands are ") == true)
    #expect(CommandNames.all.allSatisfy { error?.message.contains($0) == true })
  }

  @Test("commands, options, help and nothing at all are ArgumentParser's to read")
  func known() throws {
    for words in [[], ["--help"], ["help", "import"], ["-x"]] + CommandNames.all.map({ [$0, "x"] }) {
      try CommandNames.check(words)
    }
    #expect(Set(CommandNames.elsewhere.values).subtracting(CommandNames.all) == [])
  }

  @Test("each command stands in one group of the help, under whom it is for")
  func groups() {
    let groups = Regctl.configuration.groupedSubcommands
    #expect(groups.map(\.name) == ["caller", "account owner", "administrator", "operator", "client author"])
    #expect(Regctl.configuration.ungroupedSubcommands.isEmpty)
    let names = groups.flatMap(\.subcommands).compactMap { $0.configuration.commandName }
    #expect(names.count == Set(names).count && names.count > 25)
  }

  @Test("usage is broken by the columns of the terminal, and an option stays with its value")
  func usage() throws {
    let (method, others) = ("[--method <method> ...]", "[--params <params>] [--in-flight <in-flight>]")
    #expect(
      HelpText(.english, columns: 60).english("X\nUSAGE: regctl bench \(method) \(others)\n\nOPTIONS:")
        == "X\nUSAGE: regctl bench \(method)\n       \(others)\n\nOPTIONS:")
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
        (without("\(Places.regd) --no-such-option"), 78, "no-such-option"),
        (without("\(Places.programs)/regd-simulate --promises"), 0, "\t"),
        (without("\(Places.programs)/regd-manual --help"), 0, "Makes regd"),
      ], "/nonexistent/s")
  }
}
