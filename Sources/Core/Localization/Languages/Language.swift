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

package enum Direction {
  /// Whether a text has a character of a script that is written from right to left (UAX #9, classes R and AL), judged by the
  /// blocks that Unicode reserves for such scripts.
  package static func hasRightToLeft(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
      default: false
      }
    }
  }
}

/// Inserts values at the places of a template.
struct Filling {
  /// The language for messages within the message.
  let language: Language
  /// The language in which the template is written: it determines the plural rules and the direction.
  let written: LanguageTag
  let values: [LocalizedMessage.Value]
  private(set) var text = ""

  init(language: Language, written: LanguageTag, values: [LocalizedMessage.Value]) {
    (self.language, self.written, self.values) = (language, written, values)
  }

  /// - Parameter number: The number that replaces `#`, if the parts are a plural's form.
  mutating func add(_ parts: [Template.Part], number: Int? = nil) {
    for part in parts {
      switch part {
      case .text(let part): text += part
      case .number: text += isolated("\(number ?? 0)")
      case .place(let name): text += value(of: name)
      case .plural(let name, let forms): addPlural(name, forms)
      }
    }
  }

  private mutating func addPlural(_ name: String, _ forms: [Template.Form]) {
    let number = if case .number(let number) = content(of: name) { number } else { 0 }
    let category = PluralRules(written).category(of: number).rawValue
    let form =
      forms.first { $0.selector == "=\(number)" } ?? forms.first { $0.selector == category }
      ?? forms.first { $0.selector == "other" }
    if let form { add(form.parts, number: number) }
  }

  private func content(of name: String) -> LocalizedMessage.Content? { values.first { $0.name == name }?.content }

  private func value(of name: String) -> String {
    switch content(of: name) {
    case .text(let text): isolated(text)
    case .number(let number): isolated("\(number)")
    case .sentence(let sentence): language.text(of: sentence)
    case nil: "{\(name)}"
    }
  }

  /// Puts the text between FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE (UAX #9 section 2.4) if its direction may differ
  /// from the message's. Otherwise an Arabic message would show the parts of an address in the wrong order.
  private func isolated(_ text: String) -> String {
    written.isRightToLeft || Direction.hasRightToLeft(text) ? "\u{2068}\(text)\u{2069}" : text
  }
}
