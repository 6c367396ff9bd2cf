/// A language for messages: its catalogue, and the other catalogues that supply missing texts.
package struct Language: Equatable, Sendable {
  /// The language's tag, for example `es-MX`.
  package let tag: LanguageTag
  /// The catalogues in the order of look-up. The compiled-in English comes after all of them.
  private let chain: [MessageCatalog]

  /// - Parameter chain: The catalogues of the language, then of plainer languages (`es` for `es-MX`), then of the
  ///   operator's `messages.language`.
  package init(_ tag: LanguageTag, chain: [MessageCatalog]) {
    self.tag = tag
    self.chain = chain
  }

  /// The compiled-in English.
  package static let english = Language(LanguageTag("en")!, chain: [])

  /// The text of the message with all places filled. Places within a value are not filled.
  package func text(of sentence: LocalizedMessage) -> String {
    guard !chain.isEmpty else { return english(sentence) }
    let name = sentence.key.name
    for catalog in chain {
      if let template = catalog.texts[name] { return text(template, sentence, in: catalog.tag) }
    }
    return english(sentence)
  }

  private func english(_ sentence: LocalizedMessage) -> String {
    let written = sentence.key.english
    // most messages have no places, and are used unchanged
    if TemplateReader.isPlain(written) { return written }
    // a test parses each compiled-in text, so the fallback is never used
    let template = (try? Template(written)) ?? Template(literal: written)
    return text(template, sentence, in: Self.english.tag)
  }

  private func text(_ template: Template, _ sentence: LocalizedMessage, in tag: LanguageTag) -> String {
    var filling = Filling(language: self, written: tag, values: sentence.values)
    filling.add(template.parts)
    return filling.text
  }
}
