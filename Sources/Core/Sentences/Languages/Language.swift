/// A language that sentences are said in: a catalogue, and those that stand in for what it lacks.
package struct Language: Equatable, Sendable {
  /// What it calls itself, as `es-MX`.
  package let tag: LanguageTag
  /// In the order in which they are asked; English as it is compiled in comes behind all of them.
  private let chain: [Catalogue]

  /// - Parameter chain: Its own catalogue, then the plainer languages, then the operator's `messages.language`.
  package init(_ tag: LanguageTag, chain: [Catalogue]) {
    self.tag = tag
    self.chain = chain
  }

  /// As it is compiled in.
  package static let english = Language(LanguageTag("en")!, chain: [])

  /// The sentence, each place filled. A value is not looked through for places again.
  package func text(of sentence: Sentence) -> String {
    guard !chain.isEmpty else { return english(sentence) }
    let name = sentence.key.name
    for catalogue in chain {
      if let template = catalogue.texts[name] { return text(template, sentence, in: catalogue.tag) }
    }
    return english(sentence)
  }

  private func english(_ sentence: Sentence) -> String {
    let written = sentence.key.rawValue
    // most have no places, and stand as they are
    if TemplateReader.isPlain(written) { return written }
    // a test reads each of them
    let template = (try? Template(written)) ?? Template(literal: written)
    return text(template, sentence, in: Self.english.tag)
  }

  private func text(_ template: Template, _ sentence: Sentence, in tag: LanguageTag) -> String {
    var filling = Filling(language: self, written: tag, values: sentence.values)
    filling.add(template.parts)
    return filling.text
  }
}
