/// A request to the upstream as the breaker sees it: the share (user and origin) and the address. With these, the
/// breaker can distinguish an outage of the upstream from failures that concern only one user or one address.
package struct UpstreamQuestion: Hashable, Sendable {
  package let share: Share
  /// A keyed hash of the address: equal for the same address, and useless for guessing the address without the key.
  package let subject: UInt64

  package init(_ share: Share, subject: UInt64) {
    self.share = share
    self.subject = subject
  }
}

/// Makes questions with a secret key, so that no caller can choose two addresses with the same subject.
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
