internal import Sentences

/// One block per environment, for terminals narrower than the table: the answers, each with its flows. An environment
/// with the
/// same answers as an earlier one of its condition takes one line.
struct TerminalBlocks {
  let lines: [String]

  private struct Line {
    let sign: String
    let isRed: Bool
    var flows: [String]
  }

  init(_ grid: ReportGrid, width: Int, ink: TerminalInk, _ language: Language) {
    var lines: [String] = []
    for (index, row) in grid.rows.enumerated() {
      lines += index == 0 ? [] : [""]
      lines += Self.head(row, width, ink)
      let same = grid.rows[..<index].first {
        $0.condition == row.condition && $0.squares == row.squares && row.reds == 0
      }
      if let same {
        let sentence = Sentence(
          MatrixSentence.sameAs, ["environment": .text(VisibleText.line(same.environment))])
        lines.append("  \(language.text(of: sentence))")
      } else {
        lines += Self.body(row, grid, width, ink, language)
      }
    }
    let legend = grid.variantLegend(width, language)
    self.lines = lines + (legend.isEmpty ? [] : [""] + legend.map { ink.paint($0, .faint) })
  }

  private static func head(_ row: ReportGrid.Row, _ width: Int, _ ink: TerminalInk) -> [String] {
    let name = TerminalText.cut(VisibleText.line(row.environment), width)
    let rest = "(\(VisibleText.line(row.condition))) \(VisibleText.line(row.summary))"
    if name.count + 1 + rest.count <= width { return ["\(ink.paint(name, .strong)) \(ink.paint(rest, .faint))"] }
    return [ink.paint(name, .strong)] + TerminalText.wrap(rest, width - 2).map { ink.paint("  \($0)", .faint) }
  }

  private static func body(
    _ row: ReportGrid.Row, _ grid: ReportGrid, _ width: Int, _ ink: TerminalInk, _ language: Language
  ) -> [String] {
    let parts = collect(row, grid)
    let room = width - 4
    let left = min(parts.map(\.sign.count).max() ?? 0, room * 3 / 5)
    return parts.flatMap { part in
      let isAll = part.flows.count == grid.columns.count && part.flows.count > 1
      let all = Sentence(MatrixSentence.allFlows, ["count": .number(part.flows.count)])
      let flows = isAll ? language.text(of: all) : part.flows.joined(separator: ", ")
      let signs = TerminalText.wrap(part.sign, left)
      let names = TerminalText.wrap(flows, room - left)
      return (0..<max(signs.count, names.count)).map { index in
        let sign = index < signs.count ? signs[index] : ""
        let name = index < names.count ? names[index] : ""
        let padding = name.isEmpty ? "" : String(repeating: " ", count: left - sign.count + 2)
        return "  \(ink.paint(sign, part.isRed ? .red : .plain))\(padding)\(name)"
      }
    }
  }

  /// Answers of several flows are shown once; red ones come first.
  private static func collect(_ row: ReportGrid.Row, _ grid: ReportGrid) -> [Line] {
    var lines: [Line] = []
    for (square, column) in zip(row.squares, grid.columns) {
      for part in square.parts {
        guard let sign = part.sign() else { continue }
        if let known = lines.firstIndex(where: { $0.sign == sign && $0.isRed == part.isRed }) {
          lines[known].flows.append(VisibleText.line(column.name))
        } else {
          lines.append(Line(sign: sign, isRed: part.isRed, flows: [VisibleText.line(column.name)]))
        }
      }
    }
    return lines.filter(\.isRed) + lines.filter { !$0.isRed }
  }
}
