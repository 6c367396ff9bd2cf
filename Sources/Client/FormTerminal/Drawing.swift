/// What is to be on a screen.
package struct Drawing: Equatable, Sendable {
  package enum Style: Equatable, Sendable {
    case plain, title, faint, good, bad

    /// The parameter that switches it on (ECMA-48, SGR).
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
  /// Where the next character goes; counted from 0.
  package var cursor: (row: Int, column: Int)

  /// The rows as text alone.
  package var lines: [String] { rows.map { $0.map(\.text).joined() } }

  package static func == (left: Drawing, right: Drawing) -> Bool {
    left.rows == right.rows && left.cursor == right.cursor
  }

  /// What a terminal is sent to show this and nothing else. Rows are overwritten in place and not cleared first:
  /// nothing flickers.
  ///
  /// - Parameter styled: Whether the terminal wants colours.
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
