import Linux
import Localization
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@testable import ConfigurationFile

@Suite("Folders of catalogues")
struct CatalogFoldersTests {
  private func with(_ files: [String: String], _ body: (_ directory: String) throws -> Void) throws {
    try TemporaryDirectory.with { directory in
      for (name, text) in files {
        try? FileSystem.makeDirectory(FileSystem.directory(of: "\(directory)/\(name)"))
        try TextFile.write(text, to: "\(directory)/\(name)")
      }
      try body(directory)
    }
  }

  private func said(_ catalogs: [MessageCatalog], _ tag: String, _ key: some MessageKey) -> String? {
    Languages(catalogs: catalogs, standard: Language.english.tag).language(for: tag)?.text(of: LocalizedMessage(key))
  }

  @Test("a program in bin or libexec/regd finds the catalogues of its installation, and in a build the checkout")
  func shipped() {
    let installed = "/opt/regd/share/regd/messages"
    #expect(CatalogFolders.shipped(with: "/opt/regd/bin/regctl") == [installed])
    #expect(CatalogFolders.shipped(with: "/opt/regd/libexec/regd/regd-login") == [installed])
    #expect(CatalogFolders.shipped(with: "/x/.build/debug/regd-login").last == "/x/Config/messages")
  }

  @Test("every file with a mistake is reported")
  func broken() throws {
    try with([
      "messages/es.yaml": "email.missing: \"x\"\nemail.nothing: \"y\"", "messages/pt.yml": "",
      "messages/my texts.yaml": "",
      "own/fr.yaml": "- a", "own/es_MX.yaml": "",
    ]) { directory in
      let folders = CatalogFolders(configuration: "\(directory)/regd.yaml", overriding: "\(directory)/own")
      do {
        Issue.record("read as \(try folders.load())")
      } catch let failure as CatalogFolders.Failure {
        #expect(
          Set(failure.problems.map { String($0.place.dropFirst(directory.count + 1)) }) == [
            "messages/es.yaml:2", "messages/pt.yml", "messages/my texts.yaml", "own/fr.yaml:1", "own/es_MX.yaml",
          ])
      }
      // a program with one language reads only that catalogue
      #expect(try folders.load(only: [try #require(LanguageTag("de"))]).isEmpty)
    }
  }

  @Test("a mistake is also reported in a text that the program does not keep, such as regctl's texts in regd")
  func notKept() throws {
    try with(["messages/es.yaml": "help.regctl.nothing: \"x\"\n\(FormButton.allCases[0].name): \"{nobody}\""]) {
      directory in
      let folders = CatalogFolders(configuration: "\(directory)/regd.yaml", overriding: "")
      do {
        Issue.record("read as \(try folders.load { _ in false })")
      } catch let failure as CatalogFolders.Failure {
        #expect(failure.problems.map(\.problem.line) == [1, 2])
      }
    }
  }

  @Test("a missing folder of the operator is reported")
  func missing() throws {
    try with([:]) { directory in
      let folders = CatalogFolders(configuration: "\(directory)/regd.yaml", overriding: "\(directory)/own")
      #expect(throws: CatalogFolders.Failure.self) { try folders.load() }
    }
  }

  @Test("catalogues next to the configuration are used, and the operator's texts take precedence")
  func overridden() throws {
    try with([
      "messages/es.yaml": "email.missing: \"a\"\nemail.space: \"b\"", "own/es.yaml": "email.space: \"c\"",
      "own/tlh.yaml": "email.space: \"d\"", "own/.es.yaml.swp": "- x", "own/.#es.yaml": "- x",
      "own/es.yaml.dpkg-old": "- x",
      "messages/en.yaml": "email.missing: \"\(EmailMessageKey.missing.english)\"",
    ]) { directory in
      let folders = CatalogFolders(configuration: "\(directory)/regd.yaml", overriding: "\(directory)/own")
      let catalogs = try folders.load()
      #expect(catalogs.map(\.tag.description) == ["es", "tlh"])
      #expect(said(catalogs, "es", EmailMessageKey.missing) == "a")
      #expect(said(catalogs, "es", EmailMessageKey.space) == "c")
      #expect(said(catalogs, "es", EmailMessageKey.syntax) == EmailMessageKey.syntax.english)
      #expect(said(catalogs, "tlh", EmailMessageKey.space) == "d")
    }
  }

  @Test("a catalogue can replace English texts, and the operator's catalogue can restore the compiled ones")
  func english() throws {
    try with([
      "messages/en.yaml": "email.missing: \"a\"\nemail.space: \"b\"",
      "own/en.yaml": "email.space: \"\(EmailMessageKey.space.english)\"",
    ]) { directory in
      let folders = CatalogFolders(configuration: "\(directory)/regd.yaml", overriding: "\(directory)/own")
      let catalogs = try folders.load()
      #expect(said(catalogs, "en", EmailMessageKey.missing) == "a")
      #expect(said(catalogs, "en", EmailMessageKey.space) == EmailMessageKey.space.english)
    }
  }

  @Test("without a folder next to the configuration, the installed one is used, and then the program's own")
  func candidates() throws {
    let folders = CatalogFolders(configuration: "/nowhere/regd.yaml", overriding: "")
    #expect(folders.candidates.prefix(2) == ["/nowhere/messages", "/etc/regd/messages"])
    #expect(folders.candidates.last == "\(Places.root)/Config/messages")
    #expect(folders.overriding == nil)
  }
}
