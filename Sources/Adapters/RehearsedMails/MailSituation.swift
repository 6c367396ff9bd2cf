/// What an environment of mail gives to callers: the other part of the closed list of `environment.gives` in a configuration file. Everything
/// but mail works there. A new one is a case here; the compiler then names every flow of the matrix that does not say what it expects.
package enum MailSituation: String, CaseIterable, Sendable {
  /// Every mail arrives.
  case mailWorks
  /// A mail arrives later than a caller would wait.
  case mailSlow
  /// The mail system cannot be reached.
  case mailOffline
  /// The mail system says to come again (4xx).
  case mailDeferred
  /// The mail system has the mail, and its answer is lost.
  case mailLost
  /// The mail system refuses the mail for good (5xx).
  case mailRefused
}
