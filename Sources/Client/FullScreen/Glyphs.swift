internal import Linux

/// The symbols that the terminal's character set has, and the widths of characters.
package struct Glyphs: Equatable, Sendable {
  package let valid: String
  package let invalid: String
  package let bullet: String
  package let ellipsis: String
  package let dash: String
  /// The marks of the column by which a table is sorted.
  package let sorted: (falling: String, rising: String)
  /// The levels of a small chart of one row, from empty to full.
  package let levels: [String]
  /// The fillings of one character cell of a bar, from empty to full.
  package let parts: [String]
  /// The empty part of a bar.
  package let empty: String
  package let separator: String
  private let isUTF8: Bool

  package static let unicode = Glyphs(
    valid: "✓", invalid: "✗", bullet: "•", ellipsis: "…", dash: "—", sorted: ("▾", "▴"),
    levels: [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"], parts: ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"],
    empty: "·",
    separator: "·", isUTF8: true)
  package static let ascii = Glyphs(
    valid: "ok", invalid: "no", bullet: "*", ellipsis: "...", dash: "-", sorted: ("v", "^"),
    levels: [" ", ".", ":", "|", "#"],
    parts: ["", "#"], empty: ".", separator: "-", isUTF8: false)

  package static func == (left: Glyphs, right: Glyphs) -> Bool { left.isUTF8 == right.isUTF8 }

  /// The symbols for the user's locale (locale(7)).
  package static func ofLocale() -> Glyphs {
    Locale.adopt() ? .unicode : .ascii
  }

  /// A character and its width on the screen.
  package struct Cell: Equatable, Sendable {
    package let text: String
    package let columns: Int

    package init(text: String, columns: Int) {
      self.text = text
      self.columns = columns
    }
  }

  /// The characters of a text. A question mark replaces each character that has no width or would control the terminal.
  /// Isolates are kept, without a width.
  package func cells(_ text: String) -> [Cell] { text.map(cell) }

  private func cell(_ character: Character) -> Cell {
    // the micro sign of µs, the only unit that is not ASCII
    if !isUTF8, character == "µ" { return Cell(text: "u", columns: 1) }
    // a no-break space matters only for line breaks, and looks like a space
    if character == "\u{A0}" { return Cell(text: " ", columns: 1) }
    if Self.isIsolate(character) { return Cell(text: isUTF8 ? String(character) : "", columns: 0) }
    let columns = character.unicodeScalars.map { scalar in
      isUTF8 || scalar.isASCII ? Locale.columns(of: scalar) : -1
    }
    guard let widest = columns.max(), widest > 0, columns.min() ?? -1 >= 0 else { return Cell(text: "?", columns: 1) }
    return Cell(text: String(character), columns: widest)
  }
}

extension Glyphs {
  /// The part of a row that fits into this many columns.
  package func cut(_ spans: [Drawing.Span], columns: Int) -> [Drawing.Span] {
    var left = columns
    return spans.map { span in
      let cells = cells(span.text).prefix(columns: left)
      left -= cells.columns
      return .init(Self.closed(cells.text), span.style)
    }
  }
}

extension [Glyphs.Cell] {
  package var text: String { map(\.text).joined() }
  package var columns: Int { reduce(0) { $0 + $1.columns } }

  /// The longest beginning that fits into this many columns.
  package func prefix(columns: Int) -> [Glyphs.Cell] {
    var left = columns
    return Array(
      prefix { cell in
        left -= cell.columns
        return left >= 0
      })
  }
}
