/// One cell of the matrix, played or not.
package struct Cell: Sendable {
  /// The environment's name, or its file where it did not start.
  package let environment: String
  /// When the environment happens in life, in one line.
  package let summary: String
  /// What the environment gives to callers, in one word.
  package let condition: String
  /// Who plays the environment: "built-in" or "http".
  package let rendering: String
  /// A name from `regd --list-backends`.
  package let store: String
  /// The flow's name.
  package let flow: String
  package let result: Outcome
  package let duration: Duration

  /// What became of a cell.
  package enum Outcome: Sendable, Equatable {
    /// What had to be seen was seen: this.
    case seen(String)
    /// Something else was seen, or nothing; the text says what, and may be long.
    case fault(String)
    /// The cell cannot be played, for this reason.
    case absent(String)
  }

  package init(
    environment: String, summary: String, condition: String, rendering: String, store: String, flow: String,
    result: Outcome, duration: Duration
  ) {
    self.environment = environment
    self.summary = summary
    self.condition = condition
    self.rendering = rendering
    self.store = store
    self.flow = flow
    self.result = result
    self.duration = duration
  }

  package var isGreen: Bool { if case .seen = result { true } else { false } }
  package var isRed: Bool { if case .fault = result { true } else { false } }
  package var isPlayed: Bool { isGreen || isRed }
}
