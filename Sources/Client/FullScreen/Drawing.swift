internal import Localization

/// The content of a screen: rows of styled text, and the cursor's position.
package struct Drawing: Equatable, Sendable {
  package enum Style: Equatable, Sendable {
    case plain, title, faint, good, bad, warning
    /// Dark on light, for headings of tables.
    case heading

    /// The parameter of ECMA-48's SGR that selects the style.
    var parameter: String {
      switch self {
      case .plain: "0"
      case .title: "1"
      case .faint: "2"
      case .good: "32"
      case .bad: "31"
      case .warning: "33"
      case .heading: "7"
      }
    }
  }

  package struct Span: Equatable, Sendable {
    package let text: String
    package let style: Style

    package init(_ text: String, _ style: Style = .plain) {
      self.text = text
      self.style = style
    }
  }

  package var rows: [[Span]]
  /// The position of the cursor, counted from 0, or nil to hide it.
  package var cursor: Position?

  /// A place on the screen, counted from 0.
  package struct Position: Equatable, Sendable {
    package let row: Int
    package let column: Int

    package init(row: Int, column: Int) {
      self.row = row
      self.column = column
    }
  }

  package init(rows: [[Span]], cursor: Position?) {
    self.rows = rows
    self.cursor = cursor
  }

  /// The rows without styles.
  package var lines: [String] { rows.map { $0.map(\.text).joined() } }

  /// The control sequences that make a terminal show the drawing. They overwrite rows in place instead of clearing them first,
  /// so that nothing flickers.
  ///
  /// - Parameters:
  ///   - styled: Whether to use colours.
  ///   - shown: The drawing that the terminal shows now, or nil if unknown. Unchanged rows are not sent again.
  package func sequences(styled: Bool, over shown: Drawing? = nil) -> String {
    var text = "\u{1B}[?25l"
    // the old drawing's further rows are erased from within the new last row, because the terminal may have no row
    // below it
    let erases = rows.count < shown?.rows.count ?? .max
    for (index, row) in rows.enumerated() {
      let isLast = index == rows.count - 1
      if let shown, index < shown.rows.count, shown.rows[index] == row, !(isLast && erases) { continue }
      text += "\u{1B}[\(index + 1);1H\(Self.text(row, styled: styled))\u{1B}[\(isLast && erases ? "J" : "K")"
    }
    guard let cursor else { return text }
    return text + "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h"
  }

  /// A row as text for a terminal.
  ///
  /// - Parameter styled: Whether to use colours.
  package static func text(_ row: [Span], styled: Bool) -> String {
    row.map { span in
      let text = HarmlessText.line(span.text)
      return styled && span.style != .plain && !text.isEmpty ? "\u{1B}[\(span.style.parameter)m\(text)\u{1B}[0m" : text
    }.joined()
  }
}
