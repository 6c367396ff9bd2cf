/// A YAML file of nested mappings as a flat list of keys, each with its value and the line it stands on.
package struct ConfigurationFile: Equatable, Sendable {
  package enum Value: Equatable, Sendable {
    /// As it was written, without quotes.
    case scalar(String)
    case list([String])
    /// An empty mapping, `{}`, or a key with nothing after it.
    case nothing
  }

  package struct Entry: Equatable, Sendable {
    /// The key and those around it, outermost first.
    package let path: [String]
    package let value: Value
    /// The key's line, from 1.
    package let line: Int
  }

  package struct SyntaxError: Error, Equatable {
    /// What is wrong, in words.
    package let message: String
    /// From 1.
    package let line: Int
  }

  /// In the order of the file.
  package let entries: [Entry]

  /// Reads a text. No anchors, no aliases, no tags, one document, no key twice: a configuration is what it says.
  package init(yaml text: String) throws(SyntaxError) {
    var reader = EventReader()
    try reader.run(text)
    entries = reader.entries
  }
}
