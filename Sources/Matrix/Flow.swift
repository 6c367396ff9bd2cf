/// A column of the matrix: blocks of steps strung together, with what must be seen under each condition.
package struct Flow: Sendable {
  /// One word or two, for the table.
  package let name: String
  package let summary: String
  /// Network steps that the cell plays instead of its own network, one a registration, where the flow changes the
  /// environment half-way; nil where the environment stays as it is.
  let script: (@Sendable (Condition) -> [String])?
  /// Plays the flow. Returns what was seen, in a few words; throws at the first difference.
  let play: @Sendable (Stage) throws -> String

  init(
    _ name: String, _ summary: String, script: (@Sendable (Condition) -> [String])? = nil,
    play: @escaping @Sendable (Stage) throws -> String
  ) {
    self.name = name
    self.summary = summary
    self.script = script
    self.play = play
  }

  /// All flows, in the table's order. A new flow is a file and a name here.
  package static let all: [Flow] = [validation, availability, registration, signIn, awayAndBack]
}
