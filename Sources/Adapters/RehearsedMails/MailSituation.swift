/// A condition that an environment of mail imposes on callers: one part of the closed list of `environment.gives` in a
/// configuration file. Everything except mail works there. For a new case, the compiler names every flow of the matrix that
/// lacks an expectation for it.
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
