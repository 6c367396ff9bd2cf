/// One cell of the matrix, played or not.
package struct Cell: Sendable {
  /// The environment's name, or the file's name if the file cannot be read.
  package let environment: String
  /// The environment's summary, one line.
  package let summary: String
  /// The environment's condition, one word.
  package let condition: String
  /// How the environment is played: "built-in", "http" or "smtp".
  package let rendering: String
  /// A name from `regd --list-backends`.
  package let store: String
  package let flow: String
  package let result: Outcome
  package let duration: Duration

  /// Result of a cell.
  package enum Outcome: Sendable, Equatable {
    /// The expected answers came. Holds them in a few words.
    case seen(String)
    /// Another answer came, or none. The text may be long.
    case fault(String)
    /// The cell was not played. Holds the reason.
    case absent(String)
  }

  package var isGreen: Bool { if case .seen = result { true } else { false } }
  package var isRed: Bool { if case .fault = result { true } else { false } }
  package var isPlayed: Bool { isGreen || isRed }
}
