/// Content of a screen.
package struct Drawing: Equatable, Sendable {
  package enum Style: Equatable, Sendable {
    case plain, title, faint, good, bad

    /// Parameter of ECMA-48's SGR that switches the style on.
    var parameter: String {
      switch self {
      case .plain: "0"
      case .title: "1"
      case .faint: "2"
      case .good: "32"
      case .bad: "31"
      }
    }
  }

  package struct Span: Equatable, Sendable {
    let text: String
    let style: Style

    init(_ text: String, _ style: Style = .plain) {
      self.text = text
      self.style = style
    }
  }

  package var rows: [[Span]]
  /// Position of the cursor, counted from 0.
  package var cursor: (row: Int, column: Int)

  /// The rows without styles.
  package var lines: [String] { rows.map { $0.map(\.text).joined() } }

  package static func == (left: Drawing, right: Drawing) -> Bool {
    left.rows == right.rows && left.cursor == right.cursor
  }

  /// Control sequences that make a terminal show this. They overwrite rows in place instead of clearing them first, so that
  /// nothing flickers.
  ///
  /// - Parameter styled: Whether to use colours.
  package func sequences(styled: Bool) -> String {
    var text = "\u{1B}[?25l\u{1B}[H"
    for (index, row) in rows.enumerated() {
      if index > 0 { text += "\r\n" }
      for span in row {
        text += styled && span.style != .plain ? "\u{1B}[\(span.style.parameter)m\(span.text)\u{1B}[0m" : span.text
      }
      text += "\u{1B}[K"
    }
    return text + "\u{1B}[J\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h"
  }
}
