package import Localization

/// An invented language whose messages are the English ones between marks. A string without marks does not come from
/// the catalogue.
package enum MarkedCatalog {
  /// A tag for private use (BCP 47).
  package static let tag = LanguageTag("qaa")!

  package static let marks: (begin: Character, end: Character) = ("«", "»")

  package static let language: Language = {
    var texts: [String: Template] = [:]
    for (name, key) in EveryMessage.keys { texts[name] = try? Template(text(key)) }
    return Language(tag, chain: [MessageCatalog(tag, texts: texts)])
  }()

  private static func text(_ key: any MessageKey) -> String { "«\(key.english)»" }

  /// The catalogue as a file.
  package static var yaml: String {
    EveryMessage.keys.sorted { $0.key < $1.key }.map { "\($0): \(quoted(text($1)))\n" }.joined()
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.map { character in
      switch character {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\n": "\\n"
      default: String(character)
      }
    }
    return "\"\(escaped.joined())\""
  }

  /// The parts of a text outside all marks.
  package static func unmarked(_ text: String) -> String {
    var depth = 0
    return String(
      text.filter { character in
        if character == marks.begin { depth += 1 }
        defer { if character == marks.end { depth -= 1 } }
        return depth == 0
      })
  }
}
