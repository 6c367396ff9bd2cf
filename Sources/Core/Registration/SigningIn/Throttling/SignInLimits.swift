/// Limits the state that the throttle keeps, and what callers may do without a wait.
package struct SignInLimits: Equatable, Sendable {
  /// The most rows of each of three tables (wrong passwords by account and client, known clients, accounts with wrong
  /// passwords), at least 1. A row with its index takes about 260, 260 or 130 bytes, so three full tables take 43 MB.
  package var standings = 65_536
  /// The most origins of callers for which wrong passwords are counted, at least 1.
  package var origins = 16_384
  /// The rate at which one origin may try wrong passwords, over all accounts, without a wait. A password counts once
  /// per account.
  package var failures = SignInRate(atOnce: 100, interval: 1000)
  /// During a wait, a password is still hashed if its trace equals that of the correct one. This also holds for one
  /// guess in 4096, by chance. This rate limits such wrong passwords from one client at one account. It is so high that
  /// no attacker can exhaust it to keep the owner out.
  package var mistakes = SignInRate(atOnce: 100, interval: 1000)

  /// Within this many milliseconds, a wait ends with a chance of one half, even if it was announced to be longer. Nil
  /// if each wait ends as announced. With one minute, a wait of 300 s takes 87 s on average, which is 990 guesses a
  /// day.
  package var luck: Int? = 60_000

  package init() {}
}
