internal import Sentences

/// A table of environments (down) and flows (across). An answer of all variants is shown once; if they differ, each
/// has its own
/// lines.
struct TerminalTable {
  let lines: [String]

  private struct Line {
    let text: String
    var paint = TerminalInk.Paint.plain
  }

  private static let gap = 2
  /// A narrower column is unreadable.
  private static let leastWidth = 12
  /// Longer texts are cut off; the page shows them in full.
  private static let mostLines = 6

  /// - Returns: Nil if the table is unreadable at this width.
  init?(_ grid: ReportGrid, width: Int, ink: TerminalInk, _ language: Language) {
    let names = grid.rows.map { VisibleText.line($0.environment) }
    let conditions = grid.rows.map { VisibleText.line($0.condition) }
    let missing = grid.rows.map { $0.missing.isEmpty ? [] : ["  — \($0.missing.joined(separator: " "))"] }
    let natural = grid.columns.indices.map { column in
      let signs = grid.rows.flatMap { row in row.squares[column].parts.compactMap { $0.sign(without: row.missing) } }
      return Self.longest(signs + [VisibleText.line(grid.columns[column].name)])
    }
    let titles = [MatrixSentence.environment, .condition].map { language.text(of: Sentence($0)) }
    let fixed = [Self.longest(names + missing.joined() + [titles[0]]), Self.longest(conditions + [titles[1]])]
    let available = width - fixed.reduce(0, +) - Self.gap * (1 + natural.count)
    guard !natural.isEmpty, let widths = Self.fit(natural, available) else { return nil }

    var legend = TerminalLegend()
    let head = zip(grid.columns, widths).map { Self.bring(VisibleText.line($0.name), to: $1, &legend) }
    let heads = (titles.map { [$0] } + head).map { $0.map { Line(text: $0, paint: .strong) } }
    var lines = Self.join(heads, fixed + widths, ink)
    for (index, row) in grid.rows.enumerated() {
      let isSame = index > 0 && grid.rows[index - 1].condition == row.condition
      let name = ([names[index]] + missing[index]).map { Line(text: $0) }
      let condition = isSame ? [] : [Line(text: conditions[index])]
      let squares = zip(row.squares, widths).map { square, width in
        square.parts.flatMap { part in
          Self.bring(part.sign(without: row.missing), to: width, &legend)
            .map { Line(text: $0, paint: part.isRed ? .red : .plain) }
        }
      }
      lines += Self.join([name, condition] + squares, fixed + widths, ink)
    }
    let legends = grid.variantLegend(width, language) + legend.lines(width)
    self.lines = lines + (legends.isEmpty ? [] : [""] + legends.map { ink.paint($0, .faint) })
  }

  private static func longest(_ texts: [String]) -> Int { texts.map(\.count).max() ?? 0 }

  /// The widest columns that fit, all cut at the same width.
  private static func fit(_ natural: [Int], _ available: Int) -> [Int]? {
    var cap = natural.max() ?? 0
    while natural.reduce(0, { $0 + min($1, cap) }) > available {
      cap -= 1
      guard cap >= leastWidth else { return nil }
    }
    return natural.map { min($0, cap) }
  }

  private static func bring(_ sign: String?, to width: Int, _ legend: inout TerminalLegend) -> [String] {
    guard let sign else { return [] }
    guard sign.count > width else { return [sign] }
    // a step such as "signed in" is broken only if it is wider than the column
    let steps = sign.split(separator: ", ").map(String.init)
    let pieces = steps.enumerated().flatMap { index, step in
      let step = index < steps.count - 1 ? step + "," : step
      return step.count <= width ? [step] : step.split(separator: " ").map { legend.shorten(String($0), width) }
    }
    let lines = TerminalText.fill(pieces, width)
    return lines.count <= mostLines ? lines : lines.prefix(mostLines - 1) + ["…"]
  }

  /// Paints after padding, which would otherwise count the escape sequences.
  private static func join(_ cells: [[Line]], _ widths: [Int], _ ink: TerminalInk) -> [String] {
    (0..<(cells.map(\.count).max() ?? 0)).map { index in
      var line = ""
      var blanks = 0
      for (cell, width) in zip(cells, widths) {
        let text = index < cell.count ? cell[index].text : ""
        // blanks are added only before a text, so that no line ends with them
        if !text.isEmpty {
          line += String(repeating: " ", count: blanks) + ink.paint(text, cell[index].paint)
          blanks = 0
        }
        blanks += width - text.count + gap
      }
      return line
    }
  }
}
