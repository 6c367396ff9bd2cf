package import Sentences

/// Texts of both directions in one row (UAX #9). A row is laid out from left to right, and a terminal that reorders
/// characters does so within an isolate only; a terminal that does not shows them as they come, and isolates as nothing.
extension Glyphs {
  private static let leftToRight: Character = "\u{2066}"
  private static let rightToLeft: Character = "\u{2067}"
  private static let firstStrong: Character = "\u{2068}"
  private static let pop: Character = "\u{2069}"

  static func opens(_ character: Character) -> Bool {
    character == leftToRight || character == rightToLeft || character == firstStrong
  }

  static func isIsolate(_ character: Character) -> Bool { opens(character) || character == pop }

  /// A text that stands beside others in a row, isolated from them where it may be of another direction.
  ///
  /// - Parameter language: That the text is a sentence of; nil for what a user has typed, whose own characters decide.
  package func isolated(_ text: String, _ language: Language? = nil) -> String {
    guard Direction.hasRightToLeft(text) else { return text }
    let opening = language?.tag.isRightToLeft == true ? Self.rightToLeft : Self.firstStrong
    return "\(opening)\(text)\(Self.pop)"
  }

  /// What isolates are open at a text's end.
  static func open(at text: String, after open: [Character] = []) -> [Character] {
    text.reduce(into: open) { open, character in
      if opens(character) {
        open.append(character)
      } else if character == pop {
        _ = open.popLast()
      }
    }
  }

  /// The text with the ends of all its isolates, for one that was cut.
  static func closed(_ text: String) -> String {
    text + String(repeating: pop, count: open(at: text).count)
  }
}
