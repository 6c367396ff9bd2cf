/// A section of the shipped configuration: its keys with their values and comments.
struct KeySection {
  struct Key {
    /// The full name, such as `store.sqlite.path`.
    let path: String
    /// The value as written. Empty for a key that contains other keys.
    let value: String
    var comment: String
  }

  let name: String
  let comment: String
  private(set) var keys: [Key] = []

  var markdown: String {
    // leave out a key that only contains other keys and has no comment
    let list = keys.filter { !$0.value.isEmpty || !$0.comment.isEmpty }.map { key in
      let value = key.value.isEmpty ? "" : " (*\(Markdown.plain(key.value))*)"
      return Markdown.definition("**\(key.path)**\(value)", key.comment.isEmpty ? "" : Markdown.plain(key.comment))
    }
    return (["## \(name)", Markdown.plain(comment)] + list).filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  /// Parses the file by its conventions: a comment above a section belongs to the section, and a comment after a key
  /// belongs to the key and continues in the comment lines below.
  static func all(in yaml: String) -> [KeySection] {
    var sections: [KeySection] = []
    var above: [String] = []
    var parents: [(indent: Int, name: String)] = []
    for line in yaml.split(separator: "\n", omittingEmptySubsequences: false) {
      let indent = line.prefix { $0 == " " }.count
      let rest = line.dropFirst(indent)
      if rest.isEmpty {
        above = []
      } else if rest.hasPrefix("#") {
        let text = String(rest.dropFirst().drop { $0 == " " })
        if indent == 0 { above.append(text) } else if !sections.isEmpty { sections[sections.count - 1].go(on: text) }
      } else if let colon = rest.firstIndex(of: ":") {
        let name = String(rest[..<colon])
        while let last = parents.last, last.indent >= indent { parents.removeLast() }
        parents.append((indent, name))
        if indent == 0 {
          sections.append(KeySection(name: name, comment: above.joined(separator: " ")))
          above = []
        }
        let (value, comment) = split(rest[rest.index(after: colon)...])
        // a section in which the operator chooses the names, such as `doors: {}`, has a value
        if indent > 0 || !value.isEmpty {
          let path = parents.map(\.name).joined(separator: ".")
          sections[sections.count - 1].keys.append(Key(path: path, value: value, comment: comment))
        }
      }
    }
    return sections
  }

  /// Appends to the newest key's comment. Ignores comments before the first key.
  private mutating func go(on text: String) {
    guard var key = keys.popLast() else { return }
    key.comment += key.comment.isEmpty ? text : " \(text)"
    keys.append(key)
  }

  private static func split(_ text: Substring) -> (value: String, comment: String) {
    let parts = text.split(separator: " #", maxSplits: 1, omittingEmptySubsequences: false)
    let value = parts[0].drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
    return (String(value), parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
  }
}
