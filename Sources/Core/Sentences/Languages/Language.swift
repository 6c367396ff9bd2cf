/// A language for sentences: its catalogue, and the other catalogues that supply missing texts.
package struct Language: Equatable, Sendable {
  /// The language's tag, for example `es-MX`.
  package let tag: LanguageTag
  /// The catalogues in the order of look-up. The compiled-in English comes after all of them.
  private let chain: [Catalogue]

  /// - Parameter chain: The catalogues of the language, then of plainer languages (`es` for `es-MX`), then of the
  ///   operator's `messages.language`.
  package init(_ tag: LanguageTag, chain: [Catalogue]) {
    self.tag = tag
    self.chain = chain
  }

  /// The compiled-in English.
  package static let english = Language(LanguageTag("en")!, chain: [])

  /// The text of the sentence with all places filled. Places within a value are not filled.
  package func text(of sentence: Sentence) -> String {
    guard !chain.isEmpty else { return english(sentence) }
    let name = sentence.key.name
    for catalogue in chain {
      if let template = catalogue.texts[name] { return text(template, sentence, in: catalogue.tag) }
    }
    return english(sentence)
  }

  private func english(_ sentence: Sentence) -> String {
    let written = sentence.key.english
    // most sentences have no places, and are used unchanged
    if TemplateReader.isPlain(written) { return written }
    // a test parses each compiled-in text, so the fallback is never used
    let template = (try? Template(written)) ?? Template(literal: written)
    return text(template, sentence, in: Self.english.tag)
  }

  private func text(_ template: Template, _ sentence: Sentence, in tag: LanguageTag) -> String {
    var filling = Filling(language: self, written: tag, values: sentence.values)
    filling.add(template.parts)
    return filling.text
  }
}
