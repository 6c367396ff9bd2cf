/// A rule about who may register that a rehearsal environment (a configuration file that simulates it for client
/// authors) sets up; a possible value of the file's `environment.gives`. Everything works. The matrix of client flows
/// and conditions switches over these cases, so for a new case the compiler finds every flow without an expectation.
package enum AdmissionSituation: String, CaseIterable, Sendable {
  /// Only persons with an invitation may register.
  case invited
  /// Nobody may register.
  case closed
  /// An administrator approves each new account.
  case approval
}
