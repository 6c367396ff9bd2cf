package import Sentences

extension Report {
  /// The report for a terminal: a table of environments and flows if it is readable at this width, else one block per
  /// environment;
  /// then the cells that were not played, the red cells in full, and the count as the last line.
  ///
  /// - Parameters:
  ///   - language: The language of the report's own words; names, answers and faults stay unchanged.
  ///   - colour: Whether to use colours. Red cells have the word RED in any case.
  ///   - width: The terminal's width in characters. Only the full text of red cells is wider.
  package func table(colour: Bool, width: Int, _ language: Language = .english) -> String {
    let width = max(width, 40)
    let grid = ReportGrid(self)
    let ink = TerminalInk(isOn: colour)
    let body =
      TerminalTable(grid, width: width, ink: ink, language)?.lines
      ?? TerminalBlocks(grid, width: width, ink: ink, language).lines
    let sections = [
      body, absentLines(width, language), redLines(ink),
      ["\(VisibleText.line(regd)), \(DurationText.of(took))", language.text(of: summarySentence)],
    ]
    return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
  }

  private func absentLines(_ width: Int, _ language: Language) -> [String] {
    absences.flatMap { absence in
      let sentence = Sentence(
        MatrixSentence.notPlayed,
        ["count": .number(absence.count), "reason": .text(VisibleText.line(absence.reason))])
      let text = "— \(language.text(of: sentence))"
      return TerminalText.wrap(text, width - 2).enumerated().map { $0 == 0 ? $1 : "  \($1)" }
    }
  }

  /// In full at any width, so that a reader can copy the text.
  private func redLines(_ ink: TerminalInk) -> [String] {
    cells.compactMap { cell in
      guard case .fault(let fault) = cell.result else { return nil }
      let place = [cell.environment, cell.rendering, cell.store, cell.flow].map(VisibleText.line)
      let text = VisibleText.of(fault).split(separator: "\n").joined(separator: "\n    ")
      return "\(ink.paint("RED", .red)) \(place.joined(separator: ", ")): \(text)"
    }
  }
}

/// Escape sequences for colours, or none.
struct TerminalInk {
  let isOn: Bool

  enum Paint: String {
    case plain = ""
    case strong = "1"
    case faint = "2"
    case red = "1;31"
  }

  func paint(_ text: String, _ paint: Paint) -> String {
    isOn && paint != .plain && !text.isEmpty ? "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m" : text
  }
}
