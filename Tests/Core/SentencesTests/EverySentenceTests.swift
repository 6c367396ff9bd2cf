import Sentences
import TestKit
import Testing

@Suite("Every sentence")
struct EverySentenceTests {
  private static var sources: [(path: String, text: String)] {
    get throws { try SourceFiles.swift(in: "Sources") }
  }

  @Test("every enumeration of sentences is in the list of areas, and stands in the module that both programs see")
  func listed() throws {
    let listed = Set(EverySentence.areas.map { "\($0)" })
    var found: Set<String> = []
    for (path, text) in try Self.sources {
      for match in text.matches(of: /enum ([A-Za-z]+): String, SentenceKey\b/) {
        #expect(path.hasPrefix("Sources/Core/Sentences/"), "\(path) has \(match.1)")
        #expect(listed.contains(String(match.1)), "EverySentence.areas lacks \(match.1) of \(path)")
        found.insert(String(match.1))
      }
      // the daemon keeps the texts of other areas only
      for match in text.matches(of: /static let area = "([a-zA-Z.]+)"/) where path.contains("/English/Daemon/") {
        #expect(!EverySentence.isOfClient("\(match.1).x"), "\(path) has \(match.1)")
      }
    }
    #expect(found == listed)
  }

  @Test("the name of an area is its own, and so is each key's")
  func unique() {
    var areas: Set<String> = []
    var count = 0
    for area in EverySentence.areas {
      let (name, keys) = Self.described(area)
      #expect(areas.insert(name).inserted, "\(name) is the area of two enumerations")
      #expect(name.wholeMatch(of: /[a-z][A-Za-z0-9]*(\.[a-z][A-Za-z0-9]*)*/) != nil, "\(name)")
      count += keys
    }
    #expect(EverySentence.keys.count == count)
  }

  @Test("a key is named by its area and its case")
  func named() {
    for (name, key) in EverySentence.keys { #expect(name == "\(type(of: key).area).\(key)") }
    #expect(PasswordSentence.mismatch.name == "password.mismatch")
  }

  private static func described<Key: SentenceKey>(_ area: Key.Type) -> (String, keys: Int) {
    (Key.area, Key.allCases.count)
  }

  @Test("every English text is a template, with the plural forms of English")
  func templates() throws {
    for (name, key) in EverySentence.keys {
      do throws(Template.Fault) {
        let template = try Template(key.rawValue)
        #expect(!key.rawValue.isEmpty, "\(name)")
        for (_, forms) in template.plurals {
          let categories = Set(forms.map(\.selector)).subtracting(["=0"])
          #expect(categories == ["one", "other"], "\(name) has the forms \(categories)")
        }
      } catch {
        Issue.record("\(name) is no template: \(error)")
      }
    }
  }
}
