/// Writes a catalogue as a file that a translator can continue.
package enum CatalogText {
  /// Writes all keys, in order.
  ///
  /// - Parameter texts: The messages of the language, by key. A missing key becomes a comment with the English message.
  package static func whole(_ tag: LanguageTag, texts: [String: String]) -> String {
    var text =
      "# \(tag): the sentences of regd and regctl. Templates are ICU MessageFormat; regctl messages check finds mistakes.\n"
    for area in EveryMessage.areas { add(area, texts, to: &text) }
    return text
  }

  /// The compiled-in English.
  package static var english: String {
    whole(Language.english.tag, texts: EveryMessage.texts)
  }

  private static func add<Key: MessageKey>(_ area: Key.Type, _ texts: [String: String], to whole: inout String) {
    whole += "\n# \(Key.area)\n"
    for key in Key.allCases {
      let name = key.name
      if let text = texts[name] {
        whole += "\(name): \(quoted(text))\n"
      } else {
        whole += "# \(name): \(quoted(key.english))\n"
      }
    }
  }

  /// Quotes a text as YAML does between double quotes. Writes characters of Unicode's category Cf as `\u` with four digits,
  /// which suffice: in meaningful texts these characters are below U+10000.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for character in text.unicodeScalars {
      switch character {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case _ where character.properties.generalCategory == .format:
        // isolates and similar characters, which an editor does not show
        quoted += "\\u" + String(String(character.value + 0x10000, radix: 16, uppercase: true).dropFirst())
      default: quoted.unicodeScalars.append(character)
      }
    }
    return quoted + "\""
  }
}
