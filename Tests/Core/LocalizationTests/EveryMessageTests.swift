import Localization
import TestKit
import Testing

@Suite("The list of all messages")
struct EveryMessageTests {
  private static var sources: [(path: String, text: String)] {
    get throws { try SourceFiles.swift(in: "Sources") }
  }

  @Test("every enumeration of messages is in the list of areas and in the module that both programs share")
  func listed() throws {
    let listed = Dictionary(uniqueKeysWithValues: EveryMessage.areas.map { ("\($0)", Self.described($0).0) })
    var found: Set<String> = []
    for (path, text) in try Self.sources {
      for match in text.matches(of: /enum ([A-Za-z]+): String, MessageKey\b/) {
        #expect(path.hasPrefix("Sources/Core/Localization/"), "\(path) has \(match.1)")
        let area = listed[String(match.1)]
        #expect(area != nil, "EveryMessage.areas lacks \(match.1) of \(path)")
        // the daemon contains only the texts of other areas
        #expect(
          !path.contains("/English/Daemon/") || !EveryMessage.isOfClient("\(area ?? "").x"), "\(path) has \(match.1)")
        found.insert(String(match.1))
      }
    }
    #expect(found == Set(listed.keys))
  }

  @Test("every area and every key has a unique name")
  func unique() {
    var areas: Set<String> = []
    var count = 0
    for area in EveryMessage.areas {
      let (name, keys) = Self.described(area)
      #expect(areas.insert(name).inserted, "\(name) is the area of two enumerations")
      #expect(name.wholeMatch(of: /[a-z][A-Za-z0-9]*(\.[a-z][A-Za-z0-9]*)*/) != nil, "\(name)")
      count += keys
    }
    #expect(EveryMessage.keys.count == count)
  }

  @Test("the name of a key consists of its area and its case")
  func named() {
    for (name, key) in EveryMessage.keys {
      #expect(key.rawValue == "\(type(of: key).area).\(key): \(key.english)")
      #expect(key.name == name)
    }
    #expect(PasswordMessageKey.mismatch.name == "password.mismatch")
  }

  private static func described<Key: MessageKey>(_ area: Key.Type) -> (String, keys: Int) {
    (Key.area, Key.allCases.count)
  }

  @Test("every text of a mail may name the site, and no other text may")
  func site() {
    for name in EveryMessage.keys.keys {
      let entry = CatalogEntry(key: name, text: "{site}{siteURL}", line: 1)
      let (_, problems) = MessageCatalog.read([entry], as: Language.english.tag)
      #expect(problems.isEmpty == (name.hasPrefix("mail.") && name != "mail.notFound"), "\(name)")
    }
  }

  @Test("every English text is a valid template with the plural forms of English")
  func templates() throws {
    for (name, key) in EveryMessage.keys {
      do throws(Template.Fault) {
        let template = try Template(key.english)
        #expect(!key.english.isEmpty, "\(name)")
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
