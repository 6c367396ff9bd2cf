package import Localization

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
