/// Pieces of Markdown.
enum Markdown {
  /// A definition. Its body may have several paragraphs and lists.
  static func definition(_ term: String, _ body: String) -> String {
    let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
    let indented = lines.enumerated().map { number, line in
      number == 0 ? ":   \(line)" : line.isEmpty ? "" : "    \(line)"
    }
    return "\(term)\n\n\(indented.joined(separator: "\n"))"
  }

  /// Escapes a text that is not Markdown, except for parts in backquotes. Options are code even without backquotes.
  static func plain(_ text: String) -> String {
    let marked = text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { number, part in
      number % 2 == 1
        ? String(part) : String(part.replacing(/(^|[ (])(--[a-z][a-z\-]*[a-z])/) { "\($0.output.1)`\($0.output.2)`" })
    }.joined(separator: "`")
    return marked.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { number, part in
      if number % 2 == 1 { return "`\(part)`" }
      return part.reduce(into: "") { escaped, character in
        if "\\*_<>[]~^{}".contains(character) { escaped.append("\\") }
        escaped.append(character)
      }
    }.joined()
  }

  /// The paragraphs of a program's help. A paragraph of commands is code.
  static func paragraphs(_ text: String) -> [String] {
    text.split(separator: "\n\n").map { paragraph in
      let lines = paragraph.split(separator: "\n")
      if lines.allSatisfy({ ($0.hasPrefix("regctl ") || $0.hasPrefix("regd ")) && !$0.hasSuffix(".") }) {
        return lines.map { "    \($0)" }.joined(separator: "\n")
      }
      return plain(String(paragraph))
    }
  }

  /// Formats `name(3)` as a reference.
  static func reference(_ page: String) -> String {
    guard let bracket = page.firstIndex(of: "(") else { return "**\(page)**" }
    return "**\(plain(String(page[..<bracket])))**\(page[bracket...])"
  }
}
