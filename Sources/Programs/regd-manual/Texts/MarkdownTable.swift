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
