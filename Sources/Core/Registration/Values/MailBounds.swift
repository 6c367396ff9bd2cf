/// Limits the mails that an address gets on callers' requests, over all claims and recoveries. Notices to a recipient
/// who has proven the address do not count.
package enum MailBounds {
  /// How long a mail counts against a bound.
  package static let span = Duration.seconds(3600)
  package static let perAddress = 12
  /// The address's bound, instead of `perAddress`, for a share (user and origin) of which it has admitted no mail within
  /// `span`. Mails that the share's own bound admitted do not count here, because only an account makes a share known.
  package static let perAddressAtMost = 24
  /// How many mails each known share (`MailIntent.isKnown`) may request beyond the address's bound.
  package static let perKnownShare = 4
  /// The most mails that are counted at one time, over all addresses. Beyond that a sweep forgets the oldest.
  package static let counted = 1_000_000

  /// The bound against which a mail counts.
  package enum Part: Int, Hashable, Sendable {
    /// Counts against the address's bound.
    case shared = 0
    /// Counts against the known share's own bound, `perKnownShare`.
    case own = 1
  }

  /// The mails to an address within `span`, counted to decide whether one more is admitted.
  package struct Counts: Equatable, Sendable {
    /// Mails that count against the address's bound.
    package var sent = 0
    /// How many of them were requested by the share (user and origin) that requests the new mail.
    package var asked = 0
    /// Mails of that share that count against its own bound.
    package var own = 0

    package init(sent: Int = 0, asked: Int = 0, own: Int = 0) {
      self.sent = sent
      self.asked = asked
      self.own = own
    }
  }

  /// A mail counts against the first bound of which it reaches no limit. The bound `own` is for known shares only.
  private static let bounds: [(part: Part, sent: Int, asked: Int, own: Int)] = [
    (part: .shared, sent: perAddress, asked: .max, own: .max),
    (part: .shared, sent: perAddressAtMost, asked: 1, own: .max),
    (part: .own, sent: .max, asked: .max, own: perKnownShare),
  ]

  /// The bound against which one more mail counts, or nil if the mail is not sent.
  ///
  /// - Parameter isKnown: Returns whether the share is known at the address. Called only if the result depends on it.
  package static func part<Failure: Error>(
    _ counts: Counts, isKnown: () throws(Failure) -> Bool
  ) throws(Failure) -> Part? {
    for bound in bounds where counts.sent < bound.sent && counts.asked < bound.asked && counts.own < bound.own {
      if bound.part == .own, try !isKnown() { continue }
      return bound.part
    }
    return nil
  }

  /// The rules as SQL. PostgreSQL decides in the statement that adds the mail, under the lock of the address. Otherwise
  /// it would need another round trip for each mail.
  package enum SQL {
    /// The columns `sent`, `asked` and `own` of `Counts`, in a selection from rows of the table `mail_ask`.
    ///
    /// - Parameter share: The hash of the share that requests the new mail.
    package static func counts(of share: String) -> String {
      let (shared, own) = ("part = \(Part.shared.rawValue)", "part = \(Part.own.rawValue) AND share = \(share)")
      return """
        count(*) FILTER (WHERE \(shared)) AS sent, count(*) FILTER (WHERE \(shared) AND share = \(share)) AS asked,
        count(*) FILTER (WHERE \(own)) AS own
        """
    }

    /// The raw value of `MailBounds.part`, or NULL, in a selection from the columns of `counts`.
    ///
    /// - Parameter isKnown: The condition that the share is known at the address.
    package static func part(isKnown: String) -> String {
      let cases = bounds.map { bound in
        let condition = bound.part == .own ? "(\(isKnown))" : "TRUE"
        return """
          WHEN sent < \(bound.sent) AND asked < \(bound.asked) AND own < \(bound.own) AND \(condition)
            THEN \(bound.part.rawValue)
          """
      }
      return "CASE \(cases.joined(separator: " ")) END"
    }
  }
}

extension AuditEntry.Change {
  /// The possible first entries about an account that a caller registered, with or without a code. An imported account
  /// begins with another entry.
  package static let registrations: [AuditEntry.Change] = [.registered, .reserved, .waiting]
}

/// The numbers under which a mail is counted. They are keyed hashes, so that a count that outlives an account reveals
/// nothing about the account's owner.
package struct MailCounter: Hashable, Sendable {
  /// The hash of the address.
  package let address: Int64
  /// The hash of the user and origin that requested the mail.
  package let share: Int64

  /// - Parameter key: The store's key.
  package init(_ mail: MailIntent, _ key: CodeKey) {
    let hash = CountingHash(key, for: "mail counts")
    address = hash.number(mail.to.key.value)
    // "" means no origin, because no origin is empty
    share = hash.number(mail.origin?.text ?? "", after: UInt64(mail.uid))
  }
}
