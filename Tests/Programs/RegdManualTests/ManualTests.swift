import ConfigurationFile
import Linux
import RegdClient
import RegdProcesses
import TestKit
import Testing

@testable import regd_manual

/// The pages of `make man`, as man(1) shows them. Their expected content comes from other sources than the maker of the
/// pages: the configuration's reader, ArgumentParser and a running regd.
@Suite("Man pages", .blocking, .timeLimit(.minutes(10)))
struct ManualTests {
  private static let pages = Result { try Shown() }

  /// The text of a page at 80 columns, each run of white space as one space.
  private func words(_ file: String) throws -> String {
    try #require(try Self.pages.get().texts[file], "no page \(file)").replacing(/\s+/, with: " ")
  }

  /// The text of a page without white space, because lines also end after hyphens.
  private func letters(_ file: String) throws -> String { try squeezed(words(file)) }

  private func squeezed(_ text: String) -> String { text.filter { !$0.isWhitespace } }

  @Test("no pages are made if an article is not in the list of articles, or the list does not exist")
  func lostArticle() throws {
    let directory = try TemporaryDirectory.make()
    defer { FileSystem.removeDirectory(directory) }
    let folder = "\(directory)/Sources/Core/Module/Module.docc"
    try Program.run(["mkdir", "-p", folder], in: directory)
    for (name, complaint) in [
      ("Lost", "there is no article regd.md, which lists the others"),
      ("regd", "the article Lost.md is not in the list of regd.md"),
    ] {
      try TextFile.write("# Title\n\nAbstract.\n", to: "\(folder)/\(name).md")
      #expect(throws: ProgramFailure.self) {
        try Program.run(["\(Places.programs)/regd-manual", "--checkout", directory, "\(directory)/man"], in: directory)
      }
      #expect(TextFile.read("\(directory)/errors")?.contains(complaint) == true)
    }
    #expect(!FileSystem.exists("\(directory)/man"))
  }

  @Test("man and groff report no problems, and whatis reads each page's name")
  func good() throws {
    let pages = try Self.pages.get()
    #expect(pages.texts.count > 60)
    for (file, complaint) in pages.complaints { #expect(complaint == "", "\(file)") }
    for (file, line) in pages.whatis {
      let name = file.split(separator: ".").dropLast().joined(separator: ".")
      #expect(line.hasPrefix("\(name) - ") && line.count > name.count + 8 && !line.hasSuffix("."), "\(line)")
    }
  }

  @Test("mandoc, if it is installed, finds no fault except the missing date")
  func mandoc() throws {
    guard FileSystem.exists("/usr/bin/mandoc") else { return }
    let directory = try TemporaryDirectory.make()
    defer { FileSystem.removeDirectory(directory) }
    try Program.run(["\(Places.programs)/regd-manual", "--checkout", Places.root, "\(directory)/man"], in: directory)
    let run = try RegdProcess.run(
      program: "/bin/sh", arguments: ["-c", "mandoc -T lint -W warning man/* 2>&1"], directory: directory)
    #expect(run.output.split(separator: "\n").filter { !$0.contains("missing date") } == [])
  }

  @Test("every page has the sections of man-pages(7), and no markup is left")
  func sections() throws {
    for (file, text) in try Self.pages.get().texts {
      let heads = text.split(separator: "\n").filter { $0.first?.isUppercase == true }
      let isTopic = file.hasSuffix(".7") || file == "regd-doors.5"
      #expect(heads.starts(with: isTopic ? ["NAME", "DESCRIPTION"] : ["NAME", "SYNOPSIS", "DESCRIPTION"]), "\(file)")
      #expect(heads.last { $0.allSatisfy { $0.isUppercase || $0 == " " } } == "SEE ALSO", "\(file)")
      for markup in ["doc:", "**", "](http", "](#", ".md)", "```", "| --- |", "\\f", "\\-"] {
        #expect(!text.contains(markup), "\(file): \(markup)")
      }
    }
  }

  @Test("every page of regd that is named in a page, a unit or a message exists")
  func references() throws {
    let pages = try Self.pages.get()
    var texts = pages.texts
    for folder in ["systemd", "Config", "Config/messages", "Config/doors/postfix", "Config/doors/saslauthd"] {
      for name in Article.names(in: folder) { texts["\(folder)/\(name)"] = Article.file("\(folder)/\(name)") }
    }
    var count = 0
    for (file, text) in texts {
      for match in text.matches(of: /\b(reg(?:d|ctl)[a-z.\-]*)\((\d)\)/) {
        #expect(pages.texts["\(match.output.1).\(match.output.2)"] != nil, "\(file) names \(match.output.0)")
        count += 1
      }
    }
    #expect(count > 200)
  }

  @Test("each page refers to another one, and regd(8) refers to all pages about topics")
  func seeAlso() throws {
    let texts = try Self.pages.get().texts
    for (file, text) in texts {
      let list = text.split(separator: "\nSEE ALSO\n").last ?? ""
      #expect(list.contains(file == "regd.8" ? "regctl(1)" : "regd(8)"), "\(file)")
      if file.hasPrefix("regctl-") { #expect(list.contains("regctl(1)"), "\(file)") }
    }
    let text = try words("regd.8")
    for file in texts.keys where !file.hasPrefix("regctl-") && file != "regd.8" {
      let parts = file.split(separator: ".")
      expect(text, has: "\(parts.dropLast().joined(separator: "."))(\(parts[parts.count - 1]))")
    }
  }

  @Test("regd(8) and regctl(1) have the sections that an operator looks for")
  func operators() throws {
    for file in ["regd.8", "regctl.1"] {
      let text = try #require(try Self.pages.get().texts[file])
      for head in ["OPTIONS", "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES"] {
        expect(text, has: "\n\(head)\n")
      }
    }
    expect(try #require(try Self.pages.get().texts["regd.8"]), has: "\nSIGNALS\n")
  }

  @Test("regd(8) has at most 130 lines, and the page of a command at most 200")
  func length() throws {
    for (file, text) in try Self.pages.get().texts {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
      if file == "regd.8" { #expect(lines <= 130) }
      // pam, helper and doctor have a whole article
      if file.hasPrefix("regctl-"), !["pam", "helper", "doctor"].contains(where: { file == "regctl-\($0).1" }) {
        #expect(lines <= 200, "\(file)")
      }
    }
  }

  @Test("regd.yaml(5) contains every key of the configuration")
  func keys() throws {
    let text = try words("regd.yaml.5")
    let file = try #require(Article.file("Config/regd.yaml"))
    let entries = try ConfigurationFile(yaml: file).entries
    #expect(entries.count > 50)
    for entry in entries { expect(text, has: " \(entry.path.joined(separator: ".")) (") }
    expect(text, has: "limits.messageBytes (1048576) bytes of one message; beyond: request.tooLarge")
  }

  @Test("each command of regctl has a page with all its subcommands and options, and regd(8) contains every option")
  func verbs() throws {
    try check(options: help(of: Places.regd), in: letters("regd.8"))
    let overview = try letters("regctl.1")
    var count = 0
    for command in try help(of: Places.regctl)["subcommands"]?.array ?? [] {
      guard let name = command["commandName"]?.string, name != "help" else { continue }
      count += 1
      let text = try letters("regctl-\(name).1")
      let abstract = try #require(command["abstract"]?.string).filter { $0 != "`" }
      expect(
        text,
        has: squeezed("NAME regctl-\(name) - \(abstract.hasSuffix(".") ? String(abstract.dropLast()) : abstract) "))
      expect(overview, has: squeezed("regctl-\(name)(1) \(abstract)"))
      expect(text, has: squeezed("regctl \(name) "))
      try check(options: command, in: text)
      for next in command["subcommands"]?.array ?? [] where next["commandName"]?.string != "help" {
        expect(text, has: squeezed("regctl \(name) \(next["commandName"]?.string ?? "?") "))
        try check(options: next, in: text)
      }
    }
    #expect(count > 30)
  }

  private func help(of program: String) throws -> JSONValue {
    let output = try TemporaryDirectory.with { try Program.run([program, "--experimental-dump-help"], in: $0) }
    return try #require(JSONValue(output.utf8)?["command"])
  }

  /// Expects each option of a command's help, with its text.
  private func check(options command: JSONValue, in text: String) throws {
    for option in command["arguments"]?.array ?? [] where option["shouldDisplay"]?.bool == true {
      let names = (option["names"]?.array ?? []).filter { $0["kind"]?.string == "long" }
      for name in names.compactMap({ $0["name"]?.string }) { expect(text, has: squeezed("--\(name)")) }
      expect(text, has: squeezed(option["abstract"]?.string ?? "").filter { $0 != "`" })
    }
  }

  @Test("a command's page contains the article's text about the command, and its example")
  func explained() throws {
    expect(try words("regctl-top.1"), has: " Show what regd is doing regctl top calls daemon.status")
    expect(try words("regctl-register.1"), has: " EXAMPLES ")
    expect(try words("regctl-doctor.1"), has: "finds")
    expect(try words("regd-login.8"), has: "regd-login helper checkpassword")
    #expect(try !words("regctl.1").contains("Closed loop"))
    expect(try words("regd-scripts.7"), has: "cannotConnect")
  }

  @Test("regd-methods(7) describes every method and every param of a running regd")
  func methods() throws {
    let text = try words("regd-methods.7")
    try withRegd { regd in
      let methods = try #require(try regd.client().call("rpc.discover").get()["methods"]?.array)
      #expect(methods.count > 20)
      for method in methods {
        let name = try #require(method["name"]?.string)
        let summary = try #require(method["summary"]?.string).filter { $0 != "`" }
        let found = try #require(text.firstRange(of: " \(name) \(summary)"), "\(name)")
        let rest = text[found.upperBound...].prefix(2000)
        for parameter in method["params"]?.array ?? [] {
          expect(rest, has: "• \(parameter["name"]?.string ?? "?") (")
        }
      }
    }
  }

  @Test("a page contains each code in an article's tables: errors, limits, metrics, events, rules, exit statuses")
  func rows() throws {
    let all = try Self.pages.get().texts.keys.map { try words($0) }.joined()
    for article in [
      "Errors", "Limits", "Events", "Registering", "Observing", "Environments", "Administering", "Fairness",
    ] {
      for table in try #require(Article.named(article)).tables {
        for cell in table.rows.joined() {
          for code in Article.codes(in: cell) { expect(all, has: code) }
        }
      }
    }
  }
}

/// Expects a text to contain another. Does not print the page.
private func expect(_ text: some StringProtocol, has part: String, _ location: SourceLocation = #_sourceLocation) {
  let contains = text.contains(part)
  #expect(contains, "\(part)", sourceLocation: location)
}

/// All pages, made once and shown by man(1).
private struct Shown {
  private(set) var texts: [String: String] = [:]
  private(set) var complaints: [String: String] = [:]
  private(set) var whatis: [String: String] = [:]

  init() throws {
    let directory = try TemporaryDirectory.make()
    defer { FileSystem.removeDirectory(directory) }
    try Program.run(["\(Places.programs)/regd-manual", "--checkout", Places.root, directory], in: directory)
    let files = try FileSystem.names(in: directory).filter { $0.hasPrefix("reg") }
    for file in files {
      FileSystem.remove("\(directory)/errors")
      // all of groff's warnings
      let man = ["env", "-u", "MANOPT", "MANWIDTH=80", "LC_ALL=C.UTF-8", "man", "--warnings=w", "-E", "UTF-8", "-l"]
      texts[file] = try Program.run(man + ["\(directory)/\(file)"], in: directory)
      complaints[file] = TextFile.read("\(directory)/errors")
      let name = try Program.run(["lexgrog", "\(directory)/\(file)"], in: directory)
      whatis[file] = name.firstMatch(of: /: "(.*)"/).map { String($0.output.1) } ?? ""
    }
  }
}
