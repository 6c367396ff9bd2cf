/// A condition of mail, simulated by an environment (a configuration file for client authors), and a possible value of
/// the file's `environment.gives`. Everything except mail works. The matrix of client flows and conditions switches
/// over these cases, so for a new case the compiler finds every flow without an expectation.
package enum MailSituation: String, CaseIterable, Sendable {
  /// Every mail arrives.
  case mailWorks
  /// A mail arrives later than a caller waits.
  case mailSlow
  /// The mail system cannot be reached.
  case mailOffline
  /// The mail system asks for another attempt later (4xx).
  case mailDeferred
  /// The mail system has the mail, but its answer is lost.
  case mailLost
  /// The mail system refuses the mail for good (5xx).
  case mailRefused
}
