/// Who asks the upstream about whom: what tells a failure of the upstream from one of a single user, or a single address.
package struct UpstreamQuestion: Hashable, Sendable {
  package let share: Share
  /// The address's keyed hash: equal for the same address, and of no use to anybody who sees it.
  package let subject: UInt64

  package init(_ share: Share, subject: UInt64) {
    self.share = share
    self.subject = subject
  }
}

/// Makes questions, by a key that nobody knows: who picks addresses cannot make two of them look like one.
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
