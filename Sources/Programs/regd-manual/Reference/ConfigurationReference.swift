/// Writes the article ConfigurationReference.md: an entry for each key of the shipped configuration.
struct ConfigurationReference {
  /// The article's place in the checkout.
  static let path = "Sources/Daemon/Daemon/Daemon.docc/ConfigurationReference.md"
  /// The article with the table of the sections that a reload can change.
  static let reloads = "Sources/Daemon/Daemon/Daemon.docc/Configuration.md"

  private let sections: [KeySection]
  private let live: Set<String>

  /// - Parameters:
  ///   - yaml: The shipped configuration.
  ///   - article: The text of `reloads`.
  init(yaml: String, article: String) {
    sections = KeySection.all(in: yaml)
    let blocks = ArticleText(name: "Configuration", article).sections.flatMap(\.blocks)
    let rows = blocks.flatMap { block in
      if case .table(let table) = block, table.columns.starts(with: ["section", "live"]) { return table.rows }
      return []
    }
    live = Set(rows.filter { $0[1] == "yes" }.map { $0[0].filter { $0 != "`" } })
  }

  private static let introduction = """
    # Configuration keys

    For operators: each key of the configuration, with its type, its default, its effect, and the places where it can be set.

    ## Overview

    ```yaml
    limits: {messageBytes: 1048576}
    ```

    This article is generated from the shipped configuration, `Config/regd.yaml` (`make reference`). <doc:Configuration> describes the places in
    which keys can be set, and their precedence.
    """

  func markdown() -> String {
    ([Self.introduction] + sections.map(text)).joined(separator: "\n\n") + "\n"
  }

  private func text(_ section: KeySection) -> String {
    let reload = live.contains(section.name) ? "A reload applies changes." : "A change needs a restart."
    let keys = section.keys.filter { !$0.value.isEmpty || !$0.comment.isEmpty }.map(text)
    let comment = Markdown.plain(section.comment)
    return (["## Section \(section.name)", comment, section.name == "doors" ? "" : reload] + keys)
      .filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private func text(_ key: KeySection.Key) -> String {
    let facts = key.value.isEmpty ? "" : Self.isFileAlone(key) ? Self.fileAlone(key) : Self.facts(key)
    return ["### \(key.path)", Markdown.plain(Self.sentence(key.comment)), facts].filter { !$0.isEmpty }
      .joined(separator: "\n\n")
  }

  /// A comment with a capital at its beginning and a full stop at its end. A value or a program's name at the beginning
  /// remains unchanged.
  private static func sentence(_ comment: String) -> String {
    guard let first = comment.first, first.isLetter || first == "\"" else { return comment }
    let word = comment.prefix { $0 != " " }
    let isWord = word.allSatisfy { $0.isLowercase || "',-".contains($0) } && !["regd", "regctl"].contains(word)
    let begin = isWord ? first.uppercased() : String(first)
    let end = comment.hasSuffix(".") || comment.hasSuffix("?") ? "" : "."
    return begin + comment.dropFirst() + end
  }

  /// Whether the key is a section in which the operator chooses the names. Only the file can have such a section.
  private static func isFileAlone(_ key: KeySection.Key) -> Bool { key.value == "{}" }

  private static func fileAlone(_ key: KeySection.Key) -> String {
    "- section, default `\(key.value)`\n- can be set only in the file"
  }

  private static func facts(_ key: KeySection.Key) -> String {
    let words = key.path.replacing(".", with: "-")
    return """
      - \(type(of: key.value)), default `\(key.value)`
      - option `--\(words)`, variable `\(variable(key.path))`, credential `\(words)`
      """
  }

  private static func type(of value: String) -> String {
    if value.hasPrefix("[") { return "list" }
    if value == "true" || value == "false" { return "boolean" }
    return value.allSatisfy { $0.isNumber || $0 == "." } ? "number" : "string"
  }

  /// The key's name in the environment: `hashing.memoryKiB` is `REGD_HASHING_MEMORY_KI_B`.
  private static func variable(_ path: String) -> String {
    path.reduce(into: "REGD_") { name, letter in
      if letter.isUppercase, name.last?.isLowercase == true { name.append("_") }
      name.append(letter == "." ? "_" : letter)
    }.uppercased()
  }
}
