package import Sentences

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
  /// What a person is told: which rule, and what would pass. It contains nothing of the hash but its parameters.
  package let sentence: Sentence

  package init(_ reason: Reason, _ sentence: Sentence) {
    self.reason = reason
    self.sentence = sentence
  }

  package static let missing = PasswordHashProblem(.missing, Sentence(HashSentence.missing))
}
