internal import Registration

/// A password hash that another system made. regd verifies such hashes but never makes one. Usually the owner's next
/// sign-in replaces it by regd's own.
protocol ForeignHash: Sendable, CustomStringConvertible {
  /// Loads the library that the hash needs, if any, and refuses the hash if the library is missing.
  func requireLibrary() throws(PasswordHashFault)

  /// Refuses the hash if it needs a key that is not configured.
  func requireKey(in keys: ForeignKeys) throws(PasswordHashFault)

  /// Refuses a hash that proves nothing because its salt or value is too short.
  func requireStrength() throws(PasswordHashFault)

  /// Refuses a hash whose comparison would take more time or memory than a sign-in may. Looks only at the parameters.
  func requireBearableCost() throws(PasswordHashFault)

  /// Estimates how long a comparison takes, in milliseconds of one core of the 2020s.
  var milliseconds: Int { get }

  /// Whether the hash depends on every byte of the password.
  func seesAll(of password: Password) -> Bool

  /// How the systems that write such hashes escape a password before they hash it.
  var escapes: [PasswordEscape] { get }

  /// Whether the hash was made from `password`. Takes the memory and the time that the hash's parameters demand.
  func compare(with password: Password, _ keys: ForeignKeys) -> Comparison
}

extension ForeignHash {
  var description: String { "(password hash)" }

  func requireLibrary() throws(PasswordHashFault) {}

  func requireKey(in keys: ForeignKeys) throws(PasswordHashFault) {}

  func requireStrength() throws(PasswordHashFault) {}

  func seesAll(of password: Password) -> Bool { true }

  var escapes: [PasswordEscape] { [] }
}
