internal import Registration

/// A hash that another system has made. regd verifies it until its owner's next sign-in, and makes none like it.
protocol ForeignHash: Sendable, CustomStringConvertible {
  /// Refuses what cannot be verified for want of a library that is loaded when it is first asked for.
  func requireLibrary() throws(PasswordHashFault)

  /// Refuses what cannot be verified for want of a key.
  func requireKey(in keys: ForeignKeys) throws(PasswordHashFault)

  /// Refuses what proves nothing: a salt or a value that is too short.
  func requireStrength() throws(PasswordHashFault)

  /// Refuses what takes more time or memory than a sign-in may. Nothing is spent on it before.
  func requireBearableCost() throws(PasswordHashFault)

  /// About how long a comparison takes, in milliseconds of a core of these years.
  var milliseconds: Int { get }

  /// Whether the hash was made from all of the password, as it is.
  func seesAll(of password: Password) -> Bool

  /// Takes the memory and the time that the hash asks for.
  func compare(with password: Password, _ keys: ForeignKeys) -> Comparison
}

extension ForeignHash {
  var description: String { "(password hash)" }

  func requireLibrary() throws(PasswordHashFault) {}

  func requireKey(in keys: ForeignKeys) throws(PasswordHashFault) {}

  func requireStrength() throws(PasswordHashFault) {}

  func seesAll(of password: Password) -> Bool { true }
}
