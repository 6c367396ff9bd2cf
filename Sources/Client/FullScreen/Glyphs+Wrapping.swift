internal import LineBreaking

/// Breaks texts into lines.
extension Glyphs {
  /// Breaks a text into lines at its spaces, and between characters where a script allows it. Several spaces count as
  /// one. A word wider than a line gets a separate line.
  ///
  /// - Returns: At least one line.
  package func wrapped(_ text: String, columns: Int) -> [[Cell]] {
    let words = text.split(separator: " ").joined(separator: " ")
    let lines = LineBreaking.lines(words, width: columns, dividesIsolates: true) { cells($0).columns }
    return balanced(lines.isEmpty ? [[]] : lines.map(cells))
  }

  /// Closes an isolate at the end of a line and opens it again in the next, because terminals treat each line separately.
  private func balanced(_ lines: [[Cell]]) -> [[Cell]] {
    var open: [Character] = []
    return lines.map { line in
      let begun = open.map { Cell(text: String($0), columns: 0) }
      open = Self.open(at: line.text, after: open)
      return begun + line + open.map { _ in Cell(text: "\u{2069}", columns: 0) }
    }
  }
}
