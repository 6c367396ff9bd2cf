package import Localization

/// Knows the formats of password hashes that regd can verify.
package protocol PasswordHashReader: Sendable {
  /// Whether regd can take over a hash from elsewhere: its scheme is known, and it is neither too costly to verify nor too
  /// weak. Computes no hash.
  ///
  /// - Returns: The hash as it was written, or the first problem with it.
  func check(_ text: String) -> Result<PasswordHash, PasswordHashProblem>
}

/// Why a password hash is not accepted, or cannot be read.
package struct PasswordHashProblem: Error, Hashable, Sendable {
  /// Stable names for programs, which never change.
  package enum Reason: String, Sendable, CaseIterable {
    case missing = "hash.missing"
    case unsupported = "hash.unsupported"
    case malformed = "hash.malformed"
    case tooCostly = "hash.tooCostly"
    case tooWeak = "hash.tooWeak"
  }

  package let reason: Reason
  /// The text for a person: the rule, and what would satisfy it. It contains nothing of the hash except its parameters.
  package let sentence: LocalizedMessage

  package init(_ reason: Reason, _ sentence: LocalizedMessage) {
    self.reason = reason
    self.sentence = sentence
  }

  package static let missing = PasswordHashProblem(.missing, LocalizedMessage(HashMessageKey.missing))
}
