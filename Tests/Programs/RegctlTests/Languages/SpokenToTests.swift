import ConfigurationFile
import Localization
import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

/// regd's own messages to a user of regctl. On each connection, regctl sends the language of its environment.
@Suite("regd's messages in the language of regctl's environment", .blocking, .timeLimit(.minutes(5)))
struct SpokenToTests {
  private static let spaced = "printf 'a fine phrase\\n' | $regctl register 'no address@example.com' --password-stdin"
  private static let signIn = "printf 'a fine phrase\\n' | $regctl sign-in nobody@example.com --password-stdin"

  /// Commands that regd refuses, and the message of each refusal.
  private static let refused: [(command: String, sentence: LocalizedMessage)] = [
    (spaced, LocalizedMessage(EmailMessageKey.space)), (signIn, LocalizedMessage(CredentialsMessageKey.rejected)),
    ("\(spaced) --json", LocalizedMessage(EmailMessageKey.space)),
    ("\(signIn) --json", LocalizedMessage(CredentialsMessageKey.rejected)),
  ]

  private static func shipped() throws -> Languages {
    let folders = CatalogFolders(configuration: "\(Places.root)/Config/regd.yaml", overriding: "")
    return Languages(catalogs: try folders.load(), standard: Language.english.tag)
  }

  @Test(
    "a refusal has the text from the catalogue of the language",
    arguments: [("es_ES.UTF-8", "es"), ("ar", "ar"), ("zh_CN", "zh"), ("pt_BR.utf8", "pt"), ("C.UTF-8", "en")])
  func refusals(_ locale: String, _ tag: String) throws {
    let languages = try Self.shipped()
    let language = try #require(languages.language(for: tag))
    #expect(language.tag.description == tag)
    try withRegd { regd in
      for (command, sentence) in Self.refused {
        let text = language.text(of: sentence)
        #expect(tag == "en" || text != sentence.english)
        let (status, output) = try Shell.run(command, regd.socket, ["LC_ALL": locale])
        #expect(status == 1 && output.contains(text), "\(command): \(output)")
      }
    }
  }

  @Test("the text comes from regd, because regctl has no catalogue of the language")
  func ofRegd() throws {
    try TemporaryDirectory.with { directory in
      try TextFile.write(MarkedCatalog.yaml, to: "\(directory)/qaa.yaml")
      try withRegd(["REGD_MESSAGES_DIRECTORY": directory]) { regd in
        for (command, sentence) in Self.refused {
          let (status, output) = try Shell.run(command, regd.socket, ["LC_ALL": "qaa_XX.UTF-8"])
          #expect(status == 1 && output.contains("«\(sentence.english)»"), "\(command): \(output)")
          let (_, english) = try Shell.run(command, regd.socket)
          #expect(english.contains(sentence.english) && !english.contains("«"), "\(command): \(english)")
        }
      }
    }
  }
}
