internal import Registration

/// A hash that another system made. regd verifies it until its owner's next sign-in, and makes none of its kind.
protocol ForeignHash: Sendable, CustomStringConvertible {
  /// Refuses the hash if its library, loaded when first needed, is missing.
  func requireLibrary() throws(PasswordHashFault)

  /// Refuses the hash if the key that it needs is not configured.
  func requireKey(in keys: ForeignKeys) throws(PasswordHashFault)

  /// Refuses a hash that proves nothing because its salt or value is too short.
  func requireStrength() throws(PasswordHashFault)

  /// Refuses a hash that takes more time or memory than a sign-in may, without spending them.
  func requireBearableCost() throws(PasswordHashFault)

  /// Estimates how long a comparison takes, in milliseconds of one core of the 2020s.
  var milliseconds: Int { get }

  /// Whether the hash depends on all of the password, unchanged.
  func seesAll(of password: Password) -> Bool

  /// Compares; takes the memory and the time that the hash asks for.
  func compare(with password: Password, _ keys: ForeignKeys) -> Comparison
}

extension ForeignHash {
  var description: String { "(password hash)" }

  func requireLibrary() throws(PasswordHashFault) {}

  func requireKey(in keys: ForeignKeys) throws(PasswordHashFault) {}

  func requireStrength() throws(PasswordHashFault) {}

  func seesAll(of password: Password) -> Bool { true }
}
