internal import RehearsedNetworks

/// A column of the matrix: blocks of steps strung together, with what must be seen under each condition.
package struct Flow: Sendable {
  /// One word or two, for the table.
  package let name: String
  package let summary: String
  /// What regd is configured with besides the environment's own file, as environment variables.
  let variables: [String: String]
  /// What a network that is built in plays where the flow has the environment change half-way: `isAway` of the stage is
  /// the environment's own step, everything else works. Nil where the environment stays as it is.
  let changes: (@Sendable (Script.Step) -> Script)?
  /// Whether regd is started anew on what its store has kept.
  let isOverRestarts: Bool
  /// Plays the flow. Returns what was seen, in a few words; throws at the first difference.
  let play: @Sendable (Stage) throws -> String

  init(
    _ name: String, _ summary: String, variables: [String: String] = [:],
    changes: (@Sendable (Script.Step) -> Script)? = nil, isOverRestarts: Bool = false,
    play: @escaping @Sendable (Stage) throws -> String
  ) {
    self.name = name
    self.summary = summary
    self.variables = variables
    self.changes = changes
    self.isOverRestarts = isOverRestarts
    self.play = play
  }

  /// All flows, in the table's order. A new flow is a file and a name here.
  package static let all: [Flow] = [
    validation, availability, registration, signIn, form, repeats, awayAndBack, restart, foundOut, deferral, breaker,
    upstreamSignIn,
  ]
}
