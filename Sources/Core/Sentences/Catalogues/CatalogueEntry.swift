/// A text of a catalogue as a file has it.
package struct CatalogueEntry: Equatable, Sendable {
  package let key: String
  package let text: String
  /// Of the key in its file, counted from 1.
  package let line: Int

  package init(key: String, text: String, line: Int) {
    (self.key, self.text, self.line) = (key, text, line)
  }
}

/// Why a catalogue cannot be used.
package struct CatalogueProblem: Error, Equatable, Sendable {
  /// Counted from 1; nil where it is the file as a whole.
  package let line: Int?
  /// Nil where it is no key's.
  package let key: String?
  /// What is wrong and what would be right, in English: for operators and translators (see the article on languages).
  package let message: String

  package init(line: Int?, key: String? = nil, message: String) {
    (self.line, self.key, self.message) = (line, key, message)
  }
}
