/// A YAML file of nested mappings as a flat list of keys with their values and lines.
package struct ConfigurationFile: Equatable, Sendable {
  package enum Value: Equatable, Sendable {
    /// The text without quotes.
    case scalar(String)
    case list([String])
    /// An empty mapping, `{}`, null, or a key without a value.
    case nothing
  }

  package struct Entry: Equatable, Sendable {
    /// The key, preceded by its enclosing keys, outermost first.
    package let path: [String]
    package let value: Value
    /// The line of the key, counted from 1.
    package let line: Int
    /// Whether the value spans several lines, which YAML joins with spaces.
    package var isFolded = false
    /// Whether the value is a written null, `~` or `null`, and not just left out.
    package var isNull = false
  }

  package struct SyntaxError: Error, Equatable {
    /// The problem, as a sentence.
    package let message: String
    /// The problem's line, counted from 1.
    package let line: Int
  }

  /// In the order of the file.
  package let entries: [Entry]

  /// Parses a YAML text.
  ///
  /// - Throws: `SyntaxError`, also for anchors, aliases, tags, a second document, a repeated key, and lists of
  ///   mappings.
  package init(yaml text: String) throws(SyntaxError) {
    var reader = EventReader()
    try reader.run(text)
    entries = reader.entries
  }
}
