package import FullScreen
package import Localization

extension Report {
  /// The report for a terminal: a table of environments and flows if it is readable at this width, otherwise one block
  /// per environment. Then come the cells that were not played, the red cells in full, and the count as the last row.
  ///
  /// - Parameters:
  ///   - width: In columns. Less than 40 counts as 40. Only the full text of red cells is wider.
  ///   - language: The language of the report's own words. Names, answers and faults do not change.
  package func drawing(width: Int, _ glyphs: Glyphs, _ language: Language = .english) -> [[Drawing.Span]] {
    let page = TerminalPage(grid: ReportGrid(self), width: max(width, 40), glyphs: glyphs, language: language)
    let sections = [
      page.table() ?? page.blocks(), page.absent(absences), redRows,
      [
        [.init("\(VisibleText.line(regd)), \(DurationText.of(took))")],
        [.init(glyphs.isolated(language.text(of: summarySentence), language))],
      ],
    ]
    let rows = sections.filter { !$0.isEmpty }.joined(separator: [[]])
    // a character that the terminal lacks becomes a question mark
    return rows.map { glyphs.cut($0, columns: .max) }
  }

  /// The red cells, in full at any width, so that a reader can copy the text.
  private var redRows: [[Drawing.Span]] {
    cells.flatMap { cell -> [[Drawing.Span]] in
      guard case .fault(let fault) = cell.result else { return [] }
      let place = [cell.environment, cell.rendering, cell.store, cell.flow].map(VisibleText.line)
      let lines = VisibleText.of(fault).split(separator: "\n", omittingEmptySubsequences: false)
      let first = [Drawing.Span("RED", .bad), .init(" \(place.joined(separator: ", ")): \(lines[0])")]
      return [first] + lines.dropFirst().map { [.init("    \($0)")] }
    }
  }
}

/// Lays a report out for a terminal.
struct TerminalPage {
  let grid: ReportGrid
  /// The terminal's width in columns.
  let width: Int
  let glyphs: Glyphs
  let language: Language

  func absent(_ absences: [(reason: String, count: Int)]) -> [[Drawing.Span]] {
    absences.flatMap { absence in
      let text = said(.notPlayed, ["count": .number(absence.count), "reason": .text(VisibleText.line(absence.reason))])
      return lines(text, width - 2).enumerated().map { index, line -> [Drawing.Span] in
        [.init("\(index == 0 ? glyphs.dash : " ") \(line)")]
      }
    }
  }

  /// Explains the short names of variants, and is empty if no short name is shown.
  var variantLegend: [String] {
    let isShown = grid.rows.contains { $0.squares.contains { $0.parts.contains { !$0.isWhole } } }
    guard isShown else { return [] }
    return legend(
      grid.variants.map { variant in
        said(
          .variant,
          ["label": .text(variant.label), "rendering": .text(variant.rendering), "store": .text(variant.store)])
      })
  }

  /// Returns "RED", "—" or the answers, with the variants if not all of them have this result.
  ///
  /// - Parameter missing: Variants that are shown elsewhere as not played.
  /// - Returns: Nil if no variant is left.
  func sign(of part: ReportGrid.Part, without missing: [String] = []) -> String? {
    let labels = part.labels.filter { part.isPlayed || part.isWhole || !missing.contains($0) }.map(VisibleText.line)
    guard !labels.isEmpty else { return nil }
    let names = labels.joined(separator: " ")
    switch part.result {
    case .fault: return part.isWhole ? "RED" : "RED \(names)"
    case .absent: return part.isWhole ? glyphs.dash : "\(glyphs.dash) \(names)"
    case .seen(let text): return part.isWhole ? VisibleText.line(text) : "\(names): \(VisibleText.line(text))"
    }
  }

  // MARK: Texts

  func said(_ key: MatrixMessageKey, _ values: KeyValuePairs<String, LocalizedMessage.Content> = [:]) -> String {
    glyphs.isolated(language.text(of: LocalizedMessage(key, values)), language)
  }

  func columns(_ text: String) -> Int { glyphs.cells(text).columns }

  func cut(_ text: String, _ width: Int) -> String {
    let cells = glyphs.cells(text)
    return cells.columns <= width
      ? text : cells.prefix(columns: width - columns(glyphs.ellipsis)).text + glyphs.ellipsis
  }

  /// Breaks a text into lines of at most this many columns. A wider word is divided anywhere.
  func lines(_ text: String, _ width: Int) -> [String] {
    glyphs.wrapped(text, columns: width).flatMap { line in
      var lines: [String] = []
      var rest = line[...]
      while rest.reduce(0, { $0 + $1.columns }) > width {
        let piece = Array(rest).prefix(columns: width)
        lines.append(piece.text)
        rest = rest.dropFirst(piece.count)
      }
      return lines + [Array(rest).text]
    }
  }

  /// Breaks a list of words into lines. No word is divided, even if it has spaces.
  func filled(_ words: [String], _ width: Int) -> [String] {
    let text = words.map { $0.replacing(" ", with: "\u{A0}") }.joined(separator: " ")
    return glyphs.wrapped(text, columns: width).map(\.text)
  }

  func legend(_ entries: [String]) -> [String] {
    entries.isEmpty ? [] : filled(entries.dropLast().map { "\($0);" } + entries.suffix(1), width)
  }
}
