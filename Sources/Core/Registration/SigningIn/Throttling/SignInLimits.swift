/// How much of the throttle's state is kept, and what a caller may do over all accounts.
package struct SignInLimits: Equatable, Sendable {
  /// Rows of each of three tables: wrong passwords by account and place, places that are known, accounts with wrong passwords; at
  /// least 1. With what goes with them some 250, 260 and 120 bytes each, 41 MB when all are there.
  package var standings = 65_536
  /// Origins of callers that have tried wrong passwords, at least 1.
  package var origins = 16_384
  /// Wrong passwords of one origin over all accounts, no password counted twice at one account.
  package var failures = SignInRate(atOnce: 100, interval: 1000)
  /// Passwords of one place at one account that are hashed while a wait runs, for they look like the right one, and are
  /// not: one guess in 4096. So many that an attacker cannot use them up to keep the owner out.
  package var mistakes = SignInRate(atOnce: 100, interval: 1000)

  package init() {}
}
