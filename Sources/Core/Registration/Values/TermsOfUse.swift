/// The operator's terms, which each registering person accepts (`registration.terms`).
package struct TermsOfUse: Equatable, Sendable {
  /// The version of the terms; never empty.
  package let version: String
  /// The address of the terms' text; may be empty.
  package let url: String

  /// - Returns: Nil without a version, because then no terms are to be accepted.
  package init?(version: String, url: String) {
    guard !version.isEmpty else { return nil }
    (self.version, self.url) = (version, url)
  }
}

/// The version of the terms that an account's owner accepted last, and when.
package struct AcceptedTerms: Hashable, Sendable {
  package let version: String
  package let acceptedAt: Timestamp

  package init(version: String, acceptedAt: Timestamp) {
    (self.version, self.acceptedAt) = (version, acceptedAt)
  }
}
