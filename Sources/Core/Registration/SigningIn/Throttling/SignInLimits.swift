/// How much state the throttle keeps, and what a caller may do over all accounts.
package struct SignInLimits: Equatable, Sendable {
  /// Rows of each of three tables: wrong passwords by account and place, known places, accounts with wrong passwords; at least 1.
  /// Together with their indexes the rows take about 250, 260 and 120 bytes each: 41 MB when all tables are full.
  package var standings = 65_536
  /// The most origins of callers for which wrong passwords are counted; at least 1.
  package var origins = 16_384
  /// Wrong passwords of one origin over all accounts; a password counts once per account.
  package var failures = SignInRate(atOnce: 100, interval: 1000)
  /// Passwords of one place at one account that are hashed during a wait because they look like the right one, but are wrong: one
  /// guess in 4096. The rate is so high that an attacker cannot exhaust it to keep the owner out.
  package var mistakes = SignInRate(atOnce: 100, interval: 1000)

  package init() {}
}
