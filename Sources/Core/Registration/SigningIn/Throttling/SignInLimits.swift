/// Limits the state that the throttle keeps, and what callers may do without a wait.
package struct SignInLimits: Equatable, Sendable {
  /// The most rows of each of three tables (wrong passwords by account and place, known places, accounts with wrong passwords);
  /// at least 1. With its index, a row takes about 250, 260 or 120 bytes, so full tables take 41 MB.
  package var standings = 65_536
  /// The most origins of callers for which wrong passwords are counted; at least 1.
  package var origins = 16_384
  /// The rate of wrong passwords of one origin over all accounts without a wait; a password counts once per account.
  package var failures = SignInRate(atOnce: 100, interval: 1000)
  /// The rate of wrong passwords, of one place at one account, that are hashed during a wait because they look like the right
  /// one, as one guess in 4096 does. It is so high that an attacker cannot exhaust it to keep the owner out.
  package var mistakes = SignInRate(atOnce: 100, interval: 1000)

  package init() {}
}
