/// A hashed password as a PHC string, `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. A hash from elsewhere may have another scheme. A
/// `PasswordHashReader` decides which ones are accepted.
///
/// The hash is a secret too: no result, log line or error shows it.
package struct PasswordHash: Hashable, Sendable, CustomStringConvertible {
  package let phc: String

  package init(phc: String) { self.phc = phc }

  /// Stands for a missing password: no password is right until the account gets one.
  package static let none = PasswordHash(phc: "*")

  package var description: String { "(password hash)" }
}
