import Sentences
import TestKit
import Testing

/// Every key is said somewhere: a translator shall not work for nothing.
@Suite("Used sentences")
struct UsedSentencesTests {
  @Test("every key of every area is named in the code outside of the list of sentences")
  func used() throws {
    var words: Set<Substring> = []
    var chosen: Set<Substring> = []
    for (path, text) in try SourceFiles.swift(in: "Sources") where !path.hasPrefix("Sources/Core/Sentences/English") {
      // `.tooShort`, also behind the name of the enumeration
      for match in text.matches(of: /\.([a-z][A-Za-z0-9]*)/) { words.insert(match.1) }
      // chosen by its raw name, as `allCases` and `init(rawValue:)` do
      for match in text.matches(of: /\b([A-Z][A-Za-z]+)\.allCases/) { chosen.insert(match.1) }
    }
    var unused: [String] = []
    for area in EverySentence.areas where !chosen.contains("\(area)") {
      unused += Self.keys(of: area).filter { key in !words.contains(key.split(separator: ".").last ?? "") }
    }
    #expect(unused.isEmpty)
  }

  private static func keys<Key: SentenceKey>(of area: Key.Type) -> [String] { Key.allCases.map(\.name) }
}
