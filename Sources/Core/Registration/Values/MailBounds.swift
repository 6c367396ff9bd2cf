/// How many mails that callers ask for an address gets, over all claims and recoveries. Notices are not counted.
package enum MailBounds {
  /// How long a mail counts.
  package static let span = Duration.seconds(3600)
  package static let perAddress = 12
  /// As many if the share that asks was sent none within `span`.
  package static let perAddressAtMost = 24
  /// Beyond all these, for each share that is known at the account of the address.
  package static let perKnownShare = 4
  /// How many mails are counted at one time, over all addresses: past that a sweep forgets the oldest.
  package static let counted = 1_000_000

  /// The part of the bounds that a mail counts in.
  package enum Part: Int, Sendable {
    /// As one of the address's.
    case shared = 0
    /// As one of those that a known share has of its own.
    case own = 1
  }

  /// Mails to an address within `span`.
  package struct Counts: Equatable, Sendable {
    /// Those that count as the address's.
    package var sent = 0
    /// Those that the same share has asked for.
    package var asked = 0
    /// Those of them that count as its own.
    package var own = 0

    package init(sent: Int = 0, asked: Int = 0, own: Int = 0) {
      self.sent = sent
      self.asked = asked
      self.own = own
    }
  }

  /// The part in which one more counts; nil if it is not sent.
  ///
  /// - Parameter isKnown: Asked only where it decides.
  package static func part<Failure: Error>(
    _ counts: Counts, isKnown: () throws(Failure) -> Bool
  ) throws(Failure) -> Part? {
    if counts.sent < perAddress || (counts.asked == 0 && counts.sent < perAddressAtMost) { return .shared }
    return counts.own < perKnownShare ? try isKnown() ? .own : nil : nil
  }
}

extension AuditEntry.Change {
  /// One of these is the first about an account that somebody has registered, by a code or without.
  package static let registrations: [AuditEntry.Change] = [.registered, .reserved]
}

/// Names under which a mail is counted: keyed hashes, so that a count which outlives its account has nothing of its owner.
package struct MailCounter: Hashable, Sendable {
  /// The hash of the address.
  package let address: Int64
  /// The hash of the user and origin that have asked.
  package let share: Int64

  /// - Parameter key: The store's.
  package init(_ mail: MailIntent, _ key: CodeKey) {
    let hash = CountingHash(key, for: "mail counts")
    address = hash.number(mail.to.key.value)
    // no origin is empty
    share = hash.number(mail.origin?.text ?? "", after: UInt64(mail.uid))
  }
}
