internal import LineBreaking
internal import Linux
package import Localization

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

/// Texts of both directions in one row, with Unicode isolates (UAX #9). A row is laid out from left to right. A
/// terminal that reorders characters does so only within an isolate. Any other terminal ignores isolates and shows all
/// characters in order.
extension Glyphs {
  private static let leftToRight: Character = "\u{2066}"
  private static let rightToLeft: Character = "\u{2067}"
  private static let firstStrong: Character = "\u{2068}"
  private static let pop: Character = "\u{2069}"

  static func opens(_ character: Character) -> Bool {
    character == leftToRight || character == rightToLeft || character == firstStrong
  }

  static func isIsolate(_ character: Character) -> Bool { opens(character) || character == pop }

  /// A text that appears next to others in a row, isolated from them if its direction may differ.
  ///
  /// - Parameter language: The language of the message, or nil for text that a user typed, whose own characters decide
  ///   the direction.
  package func isolated(_ text: String, _ language: Language? = nil) -> String {
    guard Direction.hasRightToLeft(text) else { return text }
    let opening = language?.tag.isRightToLeft == true ? Self.rightToLeft : Self.firstStrong
    return "\(opening)\(text)\(Self.pop)"
  }

  /// The opening characters of the isolates that are still open at a text's end, the outermost first.
  static func open(at text: String, after open: [Character] = []) -> [Character] {
    text.reduce(into: open) { open, character in
      if opens(character) {
        open.append(character)
      } else if character == pop {
        _ = open.popLast()
      }
    }
  }

  /// The text followed by the ends of its open isolates, for a text that was cut.
  static func closed(_ text: String) -> String {
    text + String(repeating: pop, count: open(at: text).count)
  }
}

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
