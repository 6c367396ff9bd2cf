import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

/// `--json`: every command has it, and all failures have the same form.
@Suite("regctl --json", .blocking, .timeLimit(.minutes(10)))
struct JSONTests {
  /// A command's words and options, as ArgumentParser lists them.
  private struct Verb {
    let words: [String]
    let options: [String]
  }

  private static func verbs(_ command: JSONValue, _ above: [String] = []) -> [Verb] {
    let name = command["commandName"]?.string ?? "?"
    guard name != "help" else { return [] }
    let words = above + [name]
    let below = (command["subcommands"]?.array ?? []).flatMap { verbs($0, words) }
    guard below.isEmpty else { return below }
    let options = (command["arguments"]?.array ?? []).flatMap { $0["names"]?.array ?? [] }.compactMap {
      $0["name"]?.string
    }
    return [Verb(words: words, options: options)]
  }

  private func all() throws -> [Verb] {
    let (_, help) = try Shell.run("$regctl --experimental-dump-help", "")
    return Self.verbs(try #require(JSONValue(help.utf8)?["command"]))
  }

  @Test("every command has --json")
  func everywhere() throws {
    let verbs = try all()
    #expect(verbs.count > 25 && verbs.contains { $0.words == ["regctl", "account", "set-password"] })
    for verb in verbs { #expect(verb.options.contains("json"), "\(verb.words)") }
  }

  @Test("the article lists every command, and no others")
  func article() throws {
    let rows = try #require(Article.named("Regctl")).rows("command", "what it does")
    let documented = rows.flatMap { Article.codes(in: $0[0]) }.map { String($0.dropFirst("regctl ".count)) }
    #expect(Set(documented) == Set(try all().map { $0.words[1] }))
  }

  @Test("the article lists regctl's reasons and their exit statuses")
  func reasons() throws {
    let rows = try #require(Article.named("Regctl")).rows("reason", "exit status")
    let documented = rows.map { "\(Article.codes(in: $0[0]).joined()) \($0[1])" }
    #expect(
      documented.sorted() == [
        "cannotConnect 3", "disconnected 3", "notAReply 3", "notVerified 5", "refused 1", "timedOut 4", "usage 2",
        "warning –",
      ])
  }

  /// Runs a command.
  ///
  /// - Returns: The exit status, and the lines of standard output and of standard error.
  private func run(_ command: String, _ socket: String) throws -> (
    status: Int32, output: [JSONValue?], errors: [JSONValue?]
  ) {
    try TemporaryDirectory.with { directory in
      let (status, _) = try Shell.run("{ \(command) ; } >output 2>errors", socket, in: directory)
      func lines(_ file: String) -> [JSONValue?] {
        (TextFile.read("\(directory)/\(file)") ?? "").split(separator: "\n").map { JSONValue($0.utf8) }
      }
      return (status, lines("output"), lines("errors"))
    }
  }

  @Test(
    "a failure is one object on standard error, and standard output is empty",
    arguments: [
      ("$regctl status --json", 3, "cannotConnect"), ("$regctl top --once --json", 3, "cannotConnect"),
      ("$regctl bench --json", 3, "cannotConnect"), ("$regctl account list --json", 3, "cannotConnect"),
      ("$regctl check --json", 2, "usage"), ("$regctl nonsense --json", 2, "usage"),
      ("$regctl top --interval 0 --json", 2, "usage"), ("$regctl matrix --json /nonexistent", 2, "usage"),
      ("$regctl audit head --json", 3, "cannotConnect"), ("$regctl audit prove 1 --json", 3, "cannotConnect"),
      ("$regctl audit verify --json", 5, "notVerified"), ("$regctl audit prove x --json", 2, "usage"),
      ("$regctl audit verify --heads /nonexistent --json", 5, "notVerified"),
      ("$regctl breached info --json /nonexistent", 1, "refused"), ("$regctl import --json /nonexistent", 1, "refused"),
    ])
  func failures(_ command: String, _ status: Int32, _ reason: String) throws {
    let seen = try run(command, "/nonexistent/s")
    #expect(seen.status == status && seen.output.isEmpty, "\(command): \(seen)")
    let error = try #require(seen.errors.count == 1 ? seen.errors[0] : nil, "\(command): \(seen)")
    #expect(error["code"]?.integer == Int(status) && error["data"]?["reason"]?.string == reason, "\(error)")
    #expect(error["message"]?.string?.isEmpty == false)
  }

  @Test("every kind of command prints a refusal on standard error, as regd sent it")
  func refused() throws {
    try withRegd { regd in
      for (command, reason) in [
        ("echo x | $regctl sign-in a@b.cc --password-stdin --json", "credentials.rejected"),
        ("$regctl check a@b --json", "validation.failed"), ("$regctl account get a@b.cc --json", "account.notFound"),
        ("$regctl account list --after x --json", "rpc.invalidParams"),
        ("$regctl outbox discard --yes x --json", "rpc.invalidParams"),
        ("$regctl call nonsense --json", "rpc.methodNotFound"),
        ("$regctl outbox retry x --json", "rpc.invalidParams"),
      ] {
        let seen = try run(command, regd.socket)
        #expect(seen.status == 1 && seen.output.isEmpty && seen.errors.count == 1, "\(command): \(seen)")
        #expect(seen.errors.first??["data"]?["reason"]?.string == reason, "\(command): \(seen)")
      }
      let slow = try run("$regctl call rpc.ping --timeout 1 --json", regd.socket)
      #expect(slow.status == 0 && slow.output == ["pong"] && slow.errors.isEmpty)
    }
  }

  @Test("results are JSON on standard output, one document or one line each, and standard error is empty")
  func results() throws {
    try withRegd { regd in
      let directory = regd.directory
      // one environment, and only one of its flows
      _ = try Shell.run("mkdir environments; cp \(Places.environments)/success.yaml environments", "", in: directory)
      for (command, status, lines) in [
        ("$regctl status --json", 0, 1), ("$regctl check a@b.cc --json", 0, 1),
        ("echo 'a fine phrase' | $regctl validate a@b.cc --password-stdin --json", 0, 1),
        ("echo 'short' | $regctl validate a@b.cc --password-stdin --json", 1, 1),
        ("echo 'a fine phrase' | $regctl register a@b.cc --password-stdin --json", 0, 1),
        ("echo 'a fine phrase' | $regctl register d@b.cc --password-stdin --json", 0, 1),
        ("echo 'a fine phrase' | $regctl sign-in a@b.cc --password-stdin --json", 0, 1),
        ("$regctl account list --json", 0, 2), ("$regctl account disable a@b.cc --json", 0, 1),
        ("$regctl events --list --json", 0, 3), ("$regctl metrics --json", 0, 1), ("$regctl call --json", 0, 1),
        ("$regctl call rpc.ping --describe --json", 0, 1), ("$regctl outbox list --json", 0, 0),
        ("$regctl account group add a@b.cc staff --json", 0, 1), ("$regctl group list --json", 0, 1),
        ("$regctl account name a@b.cc Ann --json", 0, 1),
        ("$regctl backup \(directory)/b --json", 0, 1), ("$regctl move --to \(directory)/m --json", 0, 1),
        ("$regctl move --to \(directory)/m --abandon --json", 0, 1), ("$regctl migrate --dry-run --json", 0, 1),
        ("$regctl export - --json", 0, 2), ("$regctl export \(directory)/e --json", 0, 1),
        ("$regctl import \(directory)/e --json", 0, 1), ("$regctl top --once --interval 0.5 --json", 0, 1),
        ("$regctl bench --requests 2 --json", 0, 1),
        ("$regctl matrix --json --regd \(Places.regd) --filter validation \(directory)/environments", 0, 1),
      ] as [(String, Int32, Int)] {
        let seen = try run(command, regd.socket)
        #expect(seen.status == status && seen.output.count == lines, "\(command): \(seen)")
        #expect(!seen.output.contains(nil), "\(command)")
        if status == 0 { #expect(seen.errors.isEmpty, "\(command): \(seen)") }
      }
      #expect(TextFile.read("\(directory)/e") != nil)
      let status = try run("$regctl status --json", regd.socket).output.first
      #expect(status??["name"]?.string == "regd" && status??["status"]?["hashing"] != nil)
    }
  }

  @Test("a warning is also an object, and is not a failure")
  func warnings() throws {
    try TemporaryDirectory.with { directory in
      try TextFile.write("ABF7AAD6438836DBE526AA231ABDE2D0EEF74D42:3\nnonsense\n", to: "\(directory)/hashes")
      let seen = try run("$regctl breached build \(directory)/hashes --output \(directory)/list --json", "/nonexistent")
      #expect(seen.status == 0 && seen.output.first??["entries"]?.integer == 1)
      let warning = try #require(seen.errors.first ?? nil)
      #expect(warning["code"]?.integer == 0 && warning["data"]?["reason"] == "warning", "\(seen)")
    }
  }
}
