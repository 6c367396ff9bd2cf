/// A sentence for a person that is not in any language yet: which one, and what stands at its places.
///
/// The program that says something makes a sentence; who shows it, at the very edge, says it in a language
/// (`Language.text(of:)`). Two sentences are equal if they say the same.
package struct Sentence: Sendable {
  /// Its key in the catalogues.
  package let key: any SentenceKey
  /// What stands at the places of the template, by their names.
  package let values: [Value]

  /// What stands at one place.
  package struct Value: Hashable, Sendable {
    package let name: String
    package let content: Content
  }

  package enum Content: Hashable, Sendable {
    /// As it is, in whatever language and direction.
    case text(String)
    /// In digits; it also chooses among plural forms.
    case number(Int)
    /// Said in the same language.
    case sentence(Sentence)
  }

  package init(_ key: some SentenceKey, _ values: KeyValuePairs<String, Content> = [:]) {
    self.key = key
    self.values = values.map { Value(name: $0, content: $1) }
  }

  /// - Parameter values: What stands at the places, by their names.
  package init(_ key: some SentenceKey, values: [(name: String, content: Content)]) {
    self.key = key
    self.values = values.map { Value(name: $0.name, content: $0.content) }
  }

  /// This sentence and another one behind it, as a language puts them together.
  package func followed(by other: Sentence) -> Sentence {
    Sentence(GeneralSentence.twoSentences, ["first": .sentence(self), "second": .sentence(other)])
  }

  /// In English as it is compiled in: for logs and for who reads the code.
  package var english: String { Language.english.text(of: self) }
}

extension Sentence: Hashable {
  package static func == (one: Sentence, other: Sentence) -> Bool {
    AnyHashable(one.key) == AnyHashable(other.key) && one.values == other.values
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(AnyHashable(key))
    hasher.combine(values)
  }
}

extension Sentence.Content: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral {
  package init(stringLiteral value: String) { self = .text(value) }
  package init(integerLiteral value: Int) { self = .number(value) }
}

/// What every area needs.
package enum GeneralSentence: String, SentenceKey {
  package static let area = "general"
  /// Where a language puts a space between two sentences, and where none.
  case twoSentences = "{first} {second}"
}
