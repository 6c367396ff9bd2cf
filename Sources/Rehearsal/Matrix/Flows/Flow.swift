internal import RehearsedNetworks

/// A column of the matrix: a series of calls, and the answers that regd must give under each condition.
package struct Flow: Sendable {
  /// One word or two, for the table.
  package let name: String
  package let summary: String
  /// Configuration in addition to the environment's file, as environment variables.
  var variables: [String: String] = [:]
  /// For a flow that changes the environment half-way: makes the network's script from the environment's step. Nil if
  /// the environment does not change.
  var change: (@Sendable (Script.Step) -> Script)?
  /// The group whose members sign in at the cell's door, or nil if the flow needs no door.
  var doorGroup: String?
  /// Whether the flow kills and restarts regd, which then opens the same store.
  var restartsRegd = false
  /// The environments in which the flow is played.
  package var kind = EnvironmentKind.network
  /// Plays the flow. Returns the answers in a few words, or throws at the first unexpected one.
  let play: @Sendable (Stage) throws -> String

  /// All flows, in the table's order. Each new flow must be added here.
  package static let all: [Flow] = [
    validation, availability, registration, signIn, form, repeats, awayAndBack, restart, foundOut, deferral, breaker,
    upstreamSignIn, proof, claimKept, resend, resendWhileAway, recovery, newAddress, mailOutage, entry, invitation,
    usedUp, group,
    decision,
  ]
}
