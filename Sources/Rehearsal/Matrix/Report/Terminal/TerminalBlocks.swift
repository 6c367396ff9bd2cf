internal import FullScreen
internal import Localization

/// One block per environment, for terminals narrower than the table.
extension TerminalPage {
  private struct Line {
    let sign: String
    let isRed: Bool
    var flows: [String]
  }

  /// Lists the answers of each environment, each answer with its flows. If an earlier environment of the same condition
  /// has the same answers, one row names that environment instead.
  func blocks() -> [[Drawing.Span]] {
    var rows: [[Drawing.Span]] = []
    for (index, row) in grid.rows.enumerated() {
      rows += (index == 0 ? [] : [[]]) + head(of: row)
      let same = grid.rows[..<index].first {
        $0.condition == row.condition && $0.squares == row.squares && row.reds == 0
      }
      if let same {
        let text = said(.sameAs, ["environment": .text(VisibleText.line(same.environment))])
        rows.append([.init("  \(text)")])
      } else {
        rows += body(of: row)
      }
    }
    let legend = variantLegend
    return rows + (legend.isEmpty ? [] : [[]]) + legend.map { [.init($0, .faint)] }
  }

  private func head(of row: ReportGrid.Row) -> [[Drawing.Span]] {
    let name = Drawing.Span(cut(VisibleText.line(row.environment), width), .title)
    let rest = "(\(VisibleText.line(row.condition))) \(VisibleText.line(row.summary))"
    if columns(name.text) + 1 + columns(rest) <= width { return [[name, .init(" \(rest)", .faint)]] }
    return [[name]] + lines(rest, width - 2).map { [.init("  \($0)", .faint)] }
  }

  private func body(of row: ReportGrid.Row) -> [[Drawing.Span]] {
    let parts = collect(row)
    let room = width - 4
    let left = min(parts.map { columns($0.sign) }.max() ?? 0, room * 3 / 5)
    return parts.flatMap { part in
      let isAll = part.flows.count == grid.columns.count && part.flows.count > 1
      let flows = isAll ? said(.allFlows, ["count": .number(part.flows.count)]) : part.flows.joined(separator: ", ")
      let signs = lines(part.sign, left)
      let names = lines(flows, room - left)
      return (0..<max(signs.count, names.count)).map { index -> [Drawing.Span] in
        let sign = index < signs.count ? signs[index] : ""
        let front: [Drawing.Span] = [.init("  "), .init(sign, part.isRed ? .bad : .plain)]
        guard index < names.count else { return front }
        return front + [.init(String(repeating: " ", count: left - columns(sign) + 2) + names[index])]
      }
    }
  }

  /// Collects the answers of an environment, the same answer of several flows once. Red answers come first.
  private func collect(_ row: ReportGrid.Row) -> [Line] {
    var lines: [Line] = []
    for (square, column) in zip(row.squares, grid.columns) {
      for part in square.parts {
        guard let sign = sign(of: part) else { continue }
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
