internal import Linux

/// The signs that a terminal can show, and how many columns each takes there.
package struct Glyphs: Equatable, Sendable {
  package let valid: String
  package let invalid: String
  package let bullet: String
  package let ellipsis: String
  private let isUTF8: Bool

  package static let unicode = Glyphs(valid: "✓", invalid: "✗", bullet: "•", ellipsis: "…", isUTF8: true)
  package static let ascii = Glyphs(valid: "ok", invalid: "no", bullet: "*", ellipsis: "...", isUTF8: false)

  /// Those of the user's locale (locale(7)).
  package static func ofLocale() -> Glyphs {
    Locale.adopt() ? .unicode : .ascii
  }

  /// A character as it is shown.
  struct Cell: Equatable {
    let text: String
    let columns: Int
  }

  /// A text as it can be shown. What takes no room or would command the terminal is a question mark: it is seen then.
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

  /// As many from the front as have room.
  func prefix(columns: Int) -> [Glyphs.Cell] {
    var left = columns
    return Array(
      prefix { cell in
        left -= cell.columns
        return left >= 0
      })
  }
}
