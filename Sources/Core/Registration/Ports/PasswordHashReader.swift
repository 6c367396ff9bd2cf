/// Knows the formats of password hashes that can be verified.
package protocol PasswordHashReader: Sendable {
  /// Whether a hash from elsewhere can be taken over: its scheme is known, and verifying it is neither too costly nor
  /// pointless. Nothing is computed for that.
  ///
  /// - Returns: The hash as it was written, or the first problem with it.
  func check(_ text: String) -> Result<PasswordHash, PasswordHashProblem>
}

/// Why a password hash is not taken, or cannot be read.
package struct PasswordHashProblem: Error, Hashable, Sendable {
  /// For programs; never changes.
  package enum Reason: String, Sendable, CaseIterable {
    case missing = "hash.missing"
    case unsupported = "hash.unsupported"
    case malformed = "hash.malformed"
    case tooCostly = "hash.tooCostly"
    case tooWeak = "hash.tooWeak"
  }

  package let reason: Reason
  /// A sentence for a person: which rule, and what would pass. It contains nothing of the hash but its parameters.
  package let message: String

  package init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }

  package static let missing = PasswordHashProblem(.missing, "A password hash is needed.")
}
