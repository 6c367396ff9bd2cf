internal import Localization

/// The result of a matrix. The same cells in the same order give the same text, byte for byte: it depends on no clock, locale
/// or hash. Only the terminal's form depends on the language. The page is in English.
package struct Report: Sendable {
  /// The columns, in order.
  package let flows: [(name: String, summary: String)]
  /// The cells, in the order in which the report shows environments and variants (rendering and store).
  package let cells: [Cell]
  package let took: Duration
  /// The first line of `regd --version`.
  package let regd: String
  /// The time when the matrix was played, as the report shows it, or nil to leave it out.
  package var date: String?
  /// Other facts, such as the host, its kernel and its cores.
  package var facts: [(name: String, value: String)] = []

  /// Whether there are played cells, none of them red.
  package var isGreen: Bool { cells.contains(where: \.isPlayed) && !cells.contains(where: \.isRed) }

  /// "1234 cells, 1230 passed, 4 failed", and ", 12 not run" if there are any. The first number excludes these.
  package var summary: String { summarySentence.english }

  var summarySentence: LocalizedMessage {
    let green = cells.count(where: \.isGreen)
    let red = cells.count(where: \.isRed)
    let absent = cells.count - green - red
    return LocalizedMessage(
      absent > 0 ? MatrixMessageKey.summaryAbsent : .summary,
      ["played": .number(green + red), "green": .number(green), "red": .number(red), "absent": .number(absent)])
  }

  /// Why cells were not played: each reason once, in the order of their first cells.
  var absences: [(reason: String, count: Int)] {
    var absences: [(reason: String, count: Int)] = []
    for case .absent(let reason) in cells.map(\.result) {
      if let known = absences.firstIndex(where: { $0.reason == reason }) {
        absences[known].count += 1
      } else {
        absences.append((reason, 1))
      }
    }
    return absences
  }
}

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
