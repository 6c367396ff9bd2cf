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

/// A table of an article. On a page of 80 columns it becomes a list of definitions, to remain readable.
struct MarkdownTable: Equatable {
  let columns: [String]
  private(set) var rows: [[String]]

  /// - Parameter lines: The head, the rule below it, and at least one row. Fewer lines give nil.
  init?(_ lines: [String]) {
    guard lines.count > 2 else { return nil }
    columns = Self.cells(lines[0])
    let width = columns.count
    rows = lines.dropFirst(2).map(Self.cells).filter { $0.count == width }
  }

  private static func cells(_ line: String) -> [String] {
    line.replacing("\\|", with: "\u{0}").split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
      .map { cell in
        let text = cell.replacing("\u{0}", with: "|")
        return String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      }
  }

  /// The table without the rows that do not fit.
  func filtered(_ fits: ([String]) -> Bool) -> MarkdownTable {
    var table = self
    table.rows = rows.filter(fits)
    return table
  }

  /// Each row as a definition of its name: first the cells that are sentences, then the others, each after its column's
  /// head.
  var definitions: String {
    let (name, others) = names
    return rows.map { row in
      let term = name.map { row[$0] }.joined(separator: " ")
      let cells = others.map { (head: columns[$0], text: row[$0]) }.filter { $0.text != "–" }
      let sentences = cells.filter { isSentence($0.head) }.map(\.text)
      let facts = cells.filter { !isSentence($0.head) }.map { "*\($0.head)*: \($0.text)" }
      let isShort = facts.reduce(0) { $0 + $1.count } < 70
      let lines = sentences + (isShort ? [facts.joined(separator: "; ")] : facts)
      return Markdown.definition(term, lines.filter { !$0.isEmpty }.joined(separator: "\\\n"))
    }.joined(separator: "\n\n")
  }

  /// The columns whose cells name a row: the first column that has only code, and no value twice. If there is no such
  /// column: the first column, together with the second if the first contains a value twice.
  private var names: (name: [Int], others: [Int]) {
    func differs(_ column: Int) -> Bool { Set(rows.map { $0[column] }).count == rows.count }
    let all = Array(columns.indices)
    let code = all.dropLast().first { column in rows.allSatisfy { $0[column].hasPrefix("`") } && differs(column) }
    let name = code.map { [$0] } ?? (columns.count > 2 && !differs(0) ? [0, 1] : [0])
    return (name, all.filter { !name.contains($0) })
  }

  /// Whether cells below this head are sentences, which need no head before them.
  private func isSentence(_ head: String) -> Bool {
    columns.count == 2 || ["meaning", "when"].contains(head) || head.hasPrefix("what")
  }
}
