internal import Linux

/// Symbols that the terminal's character set has, and the width of characters.
package struct Glyphs: Equatable, Sendable {
  package let valid: String
  package let invalid: String
  package let bullet: String
  package let ellipsis: String
  private let isUTF8: Bool

  package static let unicode = Glyphs(valid: "✓", invalid: "✗", bullet: "•", ellipsis: "…", isUTF8: true)
  package static let ascii = Glyphs(valid: "ok", invalid: "no", bullet: "*", ellipsis: "...", isUTF8: false)

  /// Symbols for the user's locale (locale(7)).
  package static func ofLocale() -> Glyphs {
    Locale.adopt() ? .unicode : .ascii
  }

  /// A character and its width on the screen.
  struct Cell: Equatable {
    let text: String
    let columns: Int
  }

  /// The characters of a text. A question mark stands for each that has no width or would control the terminal.
  func cells(_ text: String) -> [Cell] { text.map(cell) }

  private func cell(_ character: Character) -> Cell {
    let columns = character.unicodeScalars.map { scalar in
      isUTF8 || scalar.isASCII ? Locale.columns(of: scalar) : -1
    }
    guard let widest = columns.max(), widest > 0, columns.min() ?? -1 >= 0 else { return Cell(text: "?", columns: 1) }
    return Cell(text: String(character), columns: widest)
  }
}

extension [Glyphs.Cell] {
  var text: String { map(\.text).joined() }
  var columns: Int { reduce(0) { $0 + $1.columns } }

  /// The longest beginning that fits in so many columns.
  func prefix(columns: Int) -> [Glyphs.Cell] {
    var left = columns
    return Array(
      prefix { cell in
        left -= cell.columns
        return left >= 0
      })
  }
}
