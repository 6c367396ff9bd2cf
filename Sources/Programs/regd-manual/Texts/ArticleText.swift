/// An article (`*.docc/*.md`), divided into its parts.
struct ArticleText {
  enum Block: Equatable {
    case text(String)
    /// A heading of the third level.
    case heading(String)
    case table(MarkdownTable)
  }

  struct Section {
    let title: String
    let blocks: [Block]

    /// The commands of regctl that the title names at its end: `top` for "Show what regd is doing: regctl top".
    var commands: [String] {
      guard let mark else { return [] }
      return title[mark.lowerBound...].matches(of: /regctl ([a-z\-]+)/).map { String($0.output.1) }
    }
    /// The title without these commands.
    var heading: String { mark.map { String(title[..<$0.lowerBound]) } ?? title }
    private var mark: Range<String.Index>? { title.firstRange(of: ": regctl ") }

    var tables: [MarkdownTable] {
      blocks.compactMap { block in
        if case .table(let table) = block { table } else { nil }
      }
    }
  }

  let name: String
  let title: String
  /// The paragraph below the title.
  let abstract: String
  let sections: [Section]
  /// The articles that this one lists, each with the heading above it.
  let topics: [(group: String, article: String)]

  /// - Parameter name: The file's name without `.md`.
  init(name: String, _ text: String) {
    self.name = name
    // HTML comments are for the test that runs the code block below them
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).filter {
      !$0.hasPrefix("<!-- ")
    }
    title = lines.first.map { String($0.trimmingPrefix("# ")) } ?? name
    var starts: [Int] = []
    var isCode = false
    for (number, line) in lines.enumerated() {
      if line.hasPrefix("```") { isCode.toggle() }
      if !isCode, line.hasPrefix("## ") { starts.append(number) }
    }
    let head = lines[..<(starts.first ?? lines.count)].dropFirst()
    abstract = Self.trimmed(head.filter { !$0.hasPrefix("@") && !$0.hasPrefix("  @") && $0 != "}" })
    let ends = starts.dropFirst() + [lines.count]
    let parts = zip(starts, ends).map { (String(lines[$0].dropFirst(3)), Array(lines[($0 + 1)..<$1])) }
    sections = parts.filter { $0.0 != "Topics" }.map { Section(title: $0.0, blocks: Self.blocks($0.1)) }
    topics = parts.filter { $0.0 == "Topics" }.flatMap { Self.topics($0.1) }
  }

  /// The lines of code that four spaces indent: the commands that an article shows.
  var codeLines: [String] {
    sections.flatMap(\.blocks).flatMap { block -> [String] in
      guard case .text(let text) = block else { return [] }
      var isFence = false
      return text.split(separator: "\n").compactMap { line in
        if line.hasPrefix("```") { isFence.toggle() }
        return !isFence && line.hasPrefix("    ") ? String(line.dropFirst(4)) : nil
      }
    }
  }

  private static func topics(_ lines: [String]) -> [(String, String)] {
    var group = ""
    return lines.compactMap { line in
      if line.hasPrefix("### ") { group = String(line.dropFirst(4)) }
      return line.firstMatch(of: /^- <doc:(.+)>/).map { (group, String($0.output.1)) }
    }
  }

  private static func blocks(_ lines: [String]) -> [Block] {
    var blocks: [Block] = []
    var text: [String] = []
    var rows: [String] = []
    var isCode = false
    func end() {
      if !trimmed(text).isEmpty { blocks.append(.text(trimmed(text))) }
      if let table = MarkdownTable(rows) { blocks.append(.table(table)) }
      (text, rows) = ([], [])
    }
    for line in lines {
      if line.hasPrefix("```") { isCode.toggle() }
      if isCode || !(line.hasPrefix("|") || line.hasPrefix("### ")) {
        if !rows.isEmpty { end() }
        text.append(line)
      } else if line.hasPrefix("|") {
        if rows.isEmpty { end() }
        rows.append(line)
      } else {
        end()
        blocks.append(.heading(String(line.dropFirst(4))))
      }
    }
    end()
    return blocks
  }

  /// Joins lines without the empty ones at the start and the end. Keeps indentation.
  private static func trimmed(_ lines: [String]) -> String {
    lines.drop { $0.isEmpty }.reversed().drop { $0.isEmpty }.reversed().joined(separator: "\n")
  }
}
