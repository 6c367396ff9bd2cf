package import Localization

/// Invented languages: the English messages between two marks. A string without marks does not come from a catalogue.
package enum InventedLanguages {
  /// `«A password is needed.»`, as `qaa`.
  package static let marked = catalog("qaa", "«", "»")
  /// `<A password is needed.>`, as `qab-XX`.
  package static let other = catalog("qab-XX", "<", ">")

  /// - Parameter standard: `messages.language`.
  package static func languages(standard: String = "en", _ catalogs: [MessageCatalog] = [marked, other]) -> Languages {
    Languages(catalogs: catalogs, standard: LanguageTag(standard) ?? Language.english.tag)
  }

  /// - Parameters:
  ///   - tag: A language without plural rules, so that one form serves all numbers.
  ///   - begin: The mark before each message.
  package static func catalog(_ tag: String, _ begin: String, _ end: String) -> MessageCatalog {
    var texts: [String: Template] = [:]
    for (name, key) in EveryMessage.keys { texts[name] = try? Template(begin + key.english + end) }
    return MessageCatalog(LanguageTag(tag) ?? Language.english.tag, texts: texts)
  }
}
