internal import FullScreen
internal import Localization

/// A table of environments (down) and flows (across).
extension TerminalPage {
  private static let gap = 2
  /// The least width of a column. A narrower one is unreadable.
  private static let leastWidth = 12
  /// The most lines of a text. Longer texts are cut off, and the page shows them in full.
  private static let mostLines = 6

  /// Draws the table. An answer that all variants share is shown once. Different answers have separate rows.
  ///
  /// - Returns: Nil if the table is unreadable at this width.
  func table() -> [[Drawing.Span]]? {
    let names = grid.rows.map { VisibleText.line($0.environment) }
    let conditions = grid.rows.map { VisibleText.line($0.condition) }
    let missing = grid.rows.map { row in
      row.missing.isEmpty ? [] : ["  \(glyphs.dash) \(row.missing.map(VisibleText.line).joined(separator: " "))"]
    }
    let natural = grid.columns.indices.map { column in
      let signs = grid.rows.flatMap { row in row.squares[column].parts.compactMap { sign(of: $0, without: row.missing) }
      }
      return widest(signs + [VisibleText.line(grid.columns[column].name)])
    }
    let titles = [said(.environment), said(.condition)]
    let fixed = [widest(names + missing.joined() + [titles[0]]), widest(conditions + [titles[1]])]
    let available = width - fixed.reduce(0, +) - Self.gap * (1 + natural.count)
    guard !natural.isEmpty, let fitted = Self.fit(natural, available) else { return nil }

    let widths = fixed + fitted
    var legend = TerminalLegend(page: self)
    let head = zip(grid.columns, fitted).map { bring(VisibleText.line($0.name), to: $1, &legend) }
    var rows = join((titles.map { [$0] } + head).map { $0.map { .init($0, .title) } }, widths)
    for (index, row) in grid.rows.enumerated() {
      let isSame = index > 0 && grid.rows[index - 1].condition == row.condition
      let name = ([names[index]] + missing[index]).map { Drawing.Span($0) }
      let condition = isSame ? [] : [Drawing.Span(conditions[index])]
      let squares = zip(row.squares, fitted).map { square, width in
        square.parts.flatMap { part in
          bring(sign(of: part, without: row.missing), to: width, &legend)
            .map { Drawing.Span($0, part.isRed ? .bad : .plain) }
        }
      }
      rows += join([name, condition] + squares, widths)
    }
    let legends = variantLegend + self.legend(legend.entries.map { "\($0.short) = \($0.full)" })
    return rows + (legends.isEmpty ? [] : [[]]) + legends.map { [.init($0, .faint)] }
  }

  private func widest(_ texts: [String]) -> Int { texts.map(columns).max() ?? 0 }

  /// Limits all columns to the greatest common width at which they fit. Returns nil if it is less than `leastWidth`.
  private static func fit(_ natural: [Int], _ available: Int) -> [Int]? {
    var cap = natural.max() ?? 0
    while natural.reduce(0, { $0 + min($1, cap) }) > available {
      cap -= 1
      guard cap >= leastWidth else { return nil }
    }
    return natural.map { min($0, cap) }
  }

  private func bring(_ sign: String?, to width: Int, _ legend: inout TerminalLegend) -> [String] {
    guard let sign else { return [] }
    guard columns(sign) > width else { return [sign] }
    // a step such as "signed in" is broken only if it is wider than the column
    let steps = sign.split(separator: ", ").map(String.init)
    let words = steps.enumerated().flatMap { index, step in
      let step = index < steps.count - 1 ? step + "," : step
      return columns(step) <= width ? [step] : step.split(separator: " ").map { legend.shorten(String($0), width) }
    }
    let lines = filled(words, width)
    return lines.count <= Self.mostLines ? lines : lines.prefix(Self.mostLines - 1) + [glyphs.ellipsis]
  }

  private func join(_ cells: [[Drawing.Span]], _ widths: [Int]) -> [[Drawing.Span]] {
    (0..<(cells.map(\.count).max() ?? 0)).map { index in
      var row: [Drawing.Span] = []
      var blanks = 0
      for (cell, width) in zip(cells, widths) {
        // blanks are added only before a text, so that no row ends with them
        if index < cell.count, !cell[index].text.isEmpty {
          row += [.init(String(repeating: " ", count: blanks)), cell[index]]
          blanks = 0
        }
        blanks += width - (index < cell.count ? columns(cell[index].text) : 0) + Self.gap
      }
      return row
    }
  }
}

/// Abbreviates words that are wider than their column, and collects the abbreviations.
struct TerminalLegend {
  let page: TerminalPage
  private(set) var entries: [(short: String, full: String)] = []

  /// Shortens "network.timeout" to "n.timeout", and cuts the rest if it is still too long. Keeps a comma, and always
  /// leaves room for one, so that a word has the same abbreviation with and without a comma.
  mutating func shorten(_ word: String, _ width: Int) -> String {
    guard page.columns(word) > width else { return word }
    let comma = word.hasSuffix(",") ? "," : ""
    let full = String(word.dropLast(comma.count))
    let halves = full.split(separator: ".", maxSplits: 1)
    let short = page.cut(halves.count == 2 ? "\(halves[0].prefix(1)).\(halves[1])" : full, width - 1)
    if !entries.contains(where: { $0 == (short, full) }) { entries.append((short, full)) }
    return short + comma
  }
}
