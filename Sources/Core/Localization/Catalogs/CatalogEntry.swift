/// A text of a catalogue, as a file contains it.
package struct CatalogEntry: Equatable, Sendable {
  package let key: String
  package let text: String
  /// The line of the key in its file, counted from 1.
  package let line: Int

  package init(key: String, text: String, line: Int) {
    (self.key, self.text, self.line) = (key, text, line)
  }
}

/// Why a catalogue cannot be used.
package struct CatalogProblem: Error, Equatable, Sendable {
  /// The line in the file, counted from 1, or nil if the problem concerns the file as a whole.
  package let line: Int?
  /// The key, or nil if the problem concerns no key.
  package let key: String?
  /// The problem and what would be right, in English: for operators and translators (see the article on languages).
  package let message: String

  package init(line: Int?, key: String? = nil, message: String) {
    (self.line, self.key, self.message) = (line, key, message)
  }
}
