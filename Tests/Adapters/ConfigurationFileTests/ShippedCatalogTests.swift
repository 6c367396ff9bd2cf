import ConfigurationFile
import Localization
import TestDoubles
import TestKit
import Testing

/// The catalogues of the checkout.
@Suite("Shipped catalogues")
struct ShippedCatalogTests {
  private static let folder = "Config/messages"
  private static let files = Result { try SourceFiles.named(".yaml", in: folder) }

  private func entries(_ file: String) throws -> [CatalogEntry] {
    try CatalogFile.entries("\(Places.root)/\(file)")
  }

  @Test("the five languages have catalogues")
  func five() throws {
    let tags = try Self.files.get().map { try CatalogFile.language(of: $0).description }
    #expect(Set(tags).isSuperset(of: ["ar", "en", "es", "pt", "zh"]))
  }

  @Test("no catalogue lacks a key or has an unknown key, an unknown placeholder or a broken template")
  func whole() throws {
    for file in try Self.files.get() {
      let (tag, entries) = (try CatalogFile.language(of: file), try entries(file))
      let (_, problems) = MessageCatalog.read(entries, as: tag)
      #expect(problems.isEmpty, "\(file): \(problems.map { "\($0.line ?? 0): \($0.key ?? ""): \($0.message)" })")
      let review = CatalogReview(entries, as: tag)
      #expect(review.missing.isEmpty, "\(file) lacks \(review.missing)")
    }
  }

  @Test("every catalogue uses all placeholders, the plural forms of CLDR, and isolates for Latin in Arabic")
  func reviewed() throws {
    for file in try Self.files.get() {
      let review = CatalogReview(try entries(file), as: try CatalogFile.language(of: file))
      for remark in review.remarks {
        Issue.record("\(file):\(remark.line ?? 0): \(remark.key ?? ""): \(remark.message)")
      }
    }
  }

  @Test("en.yaml equals the compiled English texts (regctl messages print)")
  func english() throws {
    let file = try #require(Article.file("\(Self.folder)/en.yaml"))
    #expect(file == CatalogText.english, "run make messages to write it again")
  }

  @Test("no message is left in English by mistake")
  func translated() throws {
    for file in try Self.files.get() where try CatalogFile.language(of: file) != Language.english.tag {
      let same = try entries(file).filter { entry in
        let words = entry.text.split(separator: " ").filter { $0.allSatisfy(\.isLetter) }
        return words.count > 4 && EveryMessage.keys[entry.key]?.english == entry.text
      }
      #expect(same.isEmpty, "\(file): \(same.map(\.key))")
    }
  }
}
