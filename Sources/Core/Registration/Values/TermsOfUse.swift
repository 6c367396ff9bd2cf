/// The operator's terms, which each registering person accepts (`registration.terms`).
package struct TermsOfUse: Equatable, Sendable {
  /// The most bytes of a version, which callers send with every registration.
  package static let longestVersion = 256

  /// Whether a configuration may contain the version. No account can have accepted another one.
  package static func isVersion(_ text: String) -> Bool {
    (1...longestVersion).contains(text.utf8.count)
      && !text.unicodeScalars.contains { scalar in
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
      }
  }

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
