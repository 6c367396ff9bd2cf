/// Breaks texts into lines.
extension Glyphs {
  /// Breaks a text into lines at its spaces, and between characters of two columns, as in Chinese; there no line begins with
  /// closing punctuation or ends with opening punctuation. A word wider than a line gets a line of its own.
  ///
  /// - Returns: At least one line.
  package func wrapped(_ text: String, columns: Int) -> [[Cell]] {
    var lines: [[Cell]] = [[]]
    for word in text.split(separator: " ") {
      for (index, unit) in units(of: cells(String(word))).enumerated() {
        let last = lines[lines.count - 1]
        let space = index == 0 && !last.isEmpty ? cells(" ") : []
        if !last.isEmpty, last.columns + space.columns + unit.columns > columns {
          lines.append(unit)
        } else {
          lines[lines.count - 1] += space + unit
        }
      }
    }
    return balanced(lines)
  }

  /// The parts of a word within which no line is broken.
  private func units(of cells: [Cell]) -> [[Cell]] {
    var units: [[Cell]] = []
    var joins = false
    for cell in cells {
      let isNarrow = cell.columns < 2 && units.last?.last.map { $0.columns < 2 } ?? false
      if !units.isEmpty, joins || Self.closing.contains(cell.text) || isNarrow && !cell.opens {
        units[units.count - 1].append(cell)
      } else {
        units.append([cell])
      }
      joins = cell.opens || Self.opening.contains(cell.text)
    }
    return units
  }

  private static let closing: Set<String> = [
    "、", "。", "，", "．", "：", "；", "！", "？", "）", "】", "」", "』", "》", "〉", "”", "’", "…", "\u{2069}",
  ]
  private static let opening: Set<String> = ["（", "【", "「", "『", "《", "〈", "“", "‘"]

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

extension Glyphs.Cell {
  fileprivate var opens: Bool { text.first.map(Glyphs.opens) ?? false }
}
