import ConfigurationFile
import Linux
import RegdClient
import RegdProcesses
import TestKit
import Testing

@testable import regd_manual

/// The pages as `make man` makes them, and as man(1) shows them. What must be in them is asked of others than the pages'
/// maker: the configuration's reader, ArgumentParser, a running regd.
@Suite("Man pages", .blocking, .timeLimit(.minutes(10)))
struct ManualTests {
  private static let pages = Result { try Shown() }

  /// The text of a page at 80 columns, each run of white space as one space.
  private func words(_ page: ManualPage) throws -> String {
    try Self.pages.get().texts[page.file]?.replacing(/\s+/, with: " ") ?? ""
  }

  @Test("no pages where an article is in no list, or there is no list of articles")
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

  @Test("man finds nothing to complain about, and whatis reads each page's name", arguments: ManualPage.all)
  func good(page: ManualPage) throws {
    let pages = try Self.pages.get()
    #expect(pages.complaints[page.file] == "")
    #expect(pages.whatis[page.file] == "\(page.name) - \(page.summary)")
  }

  @Test("every page has the sections of man-pages(7), and no markup is left", arguments: ManualPage.all)
  func sections(page: ManualPage) throws {
    let text = try #require(try Self.pages.get().texts[page.file])
    let heads = text.split(separator: "\n").filter { $0.first?.isUppercase == true }
    #expect(heads.starts(with: ["NAME", "SYNOPSIS", "DESCRIPTION"]))
    #expect(heads.contains("SEE ALSO"))
    for markup in ["doc:", "**", "](", "```", "| --- |", "\\f", "\\-"] { #expect(!text.contains(markup), "\(markup)") }
  }

  @Test("what an operator looks for has its section")
  func operators() throws {
    for page in [ManualPage.daemon, .client] {
      let text = try #require(try Self.pages.get().texts[page.file])
      for head in ["OPTIONS", "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES"] {
        expect(text, has: "\n\(head)\n")
      }
    }
  }

  @Test("regd.yaml(5) has every key of the configuration, with its value")
  func keys() throws {
    let text = try words(.configuration)
    let file = try #require(Article.file("Config/regd.yaml"))
    let entries = try ConfigurationFile(yaml: file).entries
    #expect(entries.count > 50)
    for entry in entries { expect(text, has: " \(entry.path.joined(separator: ".")) (") }
    expect(text, has: "limits.messageBytes (1048576) bytes of one message; beyond: request.tooLarge")
  }

  @Test("regctl(1) has every command and every option, regd(8) every option")
  func verbs() throws {
    for (page, program) in [(ManualPage.client, Places.regctl), (.daemon, Places.regd)] {
      let text = try words(page)
      let output = try TemporaryDirectory.with { try Program.run([program, "--experimental-dump-help"], in: $0) }
      let root = try #require(JSONValue(output.utf8)?["command"])
      var count = 0
      func check(_ command: JSONValue, _ path: [String]) {
        for option in command["arguments"]?.array ?? [] where option["shouldDisplay"]?.bool == true {
          let names = (option["names"]?.array ?? []).filter { $0["kind"]?.string == "long" }
          for name in names.compactMap({ $0["name"]?.string }) {
            expect(text, has: "--\(name)")
          }
          count += 1
        }
        let below = (command["subcommands"]?.array ?? []).filter { $0["commandName"]?.string != "help" }
        for next in below {
          let path = path + [next["commandName"]?.string ?? "?"]
          expect(text, has: path.joined(separator: " "))
          check(next, path)
        }
      }
      check(root, [page.name])
      #expect(count > 3)
    }
  }

  @Test("regd-methods(7) describes every method and every param of a running regd")
  func methods() throws {
    let text = try words(.methods)
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

  @Test("every row of an article's tables is in a page: errors, limits, metrics, events, rules, exit statuses")
  func rows() throws {
    let all = try ManualPage.all.map { try words($0) }.joined()
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

/// Expects a text to contain another; does not print the page.
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
    for page in ManualPage.all {
      FileSystem.remove("\(directory)/errors")
      let man = ["env", "-u", "MANOPT", "MANWIDTH=80", "LC_ALL=C.UTF-8", "man", "--warnings", "-E", "UTF-8", "-l"]
      texts[page.file] = try Program.run(man + ["\(directory)/\(page.file)"], in: directory)
      complaints[page.file] = TextFile.read("\(directory)/errors")
      let name = try Program.run(["lexgrog", "\(directory)/\(page.file)"], in: directory)
      whatis[page.file] = name.firstMatch(of: /: "(.*)"/).map { String($0.output.1) }
    }
  }
}
