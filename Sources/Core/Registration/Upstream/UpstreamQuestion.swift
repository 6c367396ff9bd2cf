/// A request to the upstream as the breaker sees it: whose it is and which address it is about. So a failure of the upstream
/// can be told from one of a single user or a single address.
package struct UpstreamQuestion: Hashable, Sendable {
  package let share: Share
  /// Keyed hash of the address: equal for the same address, and no clue to it.
  package let subject: UInt64

  package init(_ share: Share, subject: UInt64) {
    self.share = share
    self.subject = subject
  }
}

/// Makes questions with a secret key, so that no caller can choose two addresses that look like one.
package struct UpstreamQuestions: Sendable {
  private let hash: SipHash

  package init() {
    var generator = SystemRandomNumberGenerator()
    hash = SipHash(using: &generator)
  }

  package func about(_ key: EmailKey, for share: Share) -> UpstreamQuestion {
    UpstreamQuestion(share, subject: Array(key.value.utf8).withUnsafeBytes { hash.hash($0) })
  }
}
