/// A condition that an environment of admission imposes on callers: one part of the closed list of `environment.gives` in a
/// configuration file. Everything works there; the configuration says who may register. For a new case, the compiler names
/// every flow of the matrix that lacks an expectation for it.
package enum AdmissionSituation: String, CaseIterable, Sendable {
  /// Only persons with an invitation may register.
  case invited
  /// Nobody may register.
  case closed
  /// An administrator approves each new account.
  case approval
}
