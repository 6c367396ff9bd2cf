package import Sentences

/// Invented languages: the English messages between two marks. A string without marks does not come from a catalogue.
package enum InventedLanguages {
  /// `«A password is needed.»`, as `qaa`.
  package static let marked = catalogue("qaa", "«", "»")
  /// `<A password is needed.>`, as `qab-XX`.
  package static let other = catalogue("qab-XX", "<", ">")

  /// - Parameter standard: `messages.language`.
  package static func languages(standard: String = "en", _ catalogues: [Catalogue] = [marked, other]) -> Languages {
    Languages(catalogues: catalogues, standard: LanguageTag(standard) ?? Language.english.tag)
  }

  /// - Parameters:
  ///   - tag: A language without plural rules, so that one form serves all numbers.
  ///   - begin: The mark before each message.
  package static func catalogue(_ tag: String, _ begin: String, _ end: String) -> Catalogue {
    var texts: [String: Template] = [:]
    for (name, key) in EverySentence.keys { texts[name] = try? Template(begin + key.english + end) }
    return Catalogue(LanguageTag(tag) ?? Language.english.tag, texts: texts)
  }
}
