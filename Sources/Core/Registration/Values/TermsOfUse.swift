/// The operator's terms, which each registering person accepts (`registration.terms`).
package struct TermsOfUse: Equatable, Sendable {
  /// The version of the terms, never empty.
  package let version: String
  /// The address of the terms' text, which may be empty.
  package let url: String

  /// - Returns: Nil if the version is empty, which means that there are no terms to accept.
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
