/// A rule about who may register, simulated by an environment (a configuration file for client authors), and a possible
/// value of the file's `environment.gives`. Everything works. The matrix of client flows and conditions switches over
/// these cases, so for a new case the compiler finds every flow without an expectation.
package enum AdmissionSituation: String, CaseIterable, Sendable {
  /// Only persons with an invitation may register.
  case invited
  /// Registration is closed.
  case closed
  /// An administrator approves each new account.
  case approval
}
