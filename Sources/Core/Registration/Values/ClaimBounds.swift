/// Limits how many claims the store keeps. It refuses no new claim for lack of room, but removes older ones, or hides them
/// (`AddressClaim.isHiddenInsteadOfRemoved`).
package enum ClaimBounds {
  /// The most unexpired claims of one address that do not rank as mailed (`AddressClaim.ranksAsMailed`). The others are
  /// limited by `MailBounds.perAddressAtMost`.
  package static let unmailedPerAddress = 100
  /// The most claims of all users together. A sweep removes the surplus.
  package static let all = 200_000

  /// The groups within which claims are ranked, one after the other. The raw value is the group in SQL.
  private enum Group: String, CaseIterable {
    /// Claims of one origin, the newest first.
    case origin = "uid, origin"
    /// Claims of one user, in the order of their places within their origins. A user's newest claim of each origin thus
    /// precedes the second of any origin.
    case user = "uid"

    func key(of claim: AddressClaim) -> Share { self == .origin ? claim.share : Share(uid: claim.uid, origin: nil) }
  }

  /// Chooses the claims to remove or hide. First come those that do not rank as mailed. Then come, one by one, the
  /// oldest claims of the origin with the most claims, among the origins of the user with the most. So a user with few
  /// claims keeps them.
  ///
  /// - Returns: The surplus, so that `room` claims remain.
  package static func surplus(of claims: [AddressClaim], beyond room: Int) -> [AddressClaim] {
    guard claims.count > room else { return [] }
    let (mailed, others) = (claims.filter(\.ranksAsMailed), claims.filter { !$0.ranksAsMailed })
    return (inOrder(mailed) + inOrder(others)).dropFirst(room).reversed()
  }

  private static func inOrder(_ claims: [AddressClaim]) -> [AddressClaim] {
    var ranked = claims.sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
    for group in Group.allCases {
      var counts: [Share: Int] = [:]
      let placed = ranked.map { claim in
        counts[group.key(of: claim), default: 0] += 1
        return (claim: claim, place: counts[group.key(of: claim), default: 0])
      }
      ranked = placed.sorted { one, other in
        (other.place, one.claim.createdAt, one.claim.id) > (one.place, other.claim.createdAt, other.claim.id)
      }.map { $0.claim }
    }
    return ranked
  }

  /// The rules as SQL for the table `claim`. Databases rank claims by themselves. Otherwise a sweep would read all
  /// claims, and PostgreSQL would need another round trip for each claim that is added.
  package enum SQL {
    private static let shared = Optional(MailBounds.Part.shared).stored
    private static let own = Optional(MailBounds.Part.own).stored
    private static let hidden = Optional<MailBounds.Part>.hidden

    /// SQL to hide a claim.
    package static let hiding = "UPDATE claim SET mailed = \(hidden)"
    /// A condition: the opposite of `AddressClaim.ranksAsMailed`. Its first part is the condition of the index
    /// `claim_unranked`.
    package static let isUnmailed = "mailed <> \(shared) AND mailed <> \(hidden)"
    /// A condition: `AddressClaim.isHiddenInsteadOfRemoved`.
    package static let isHiddenInsteadOfRemoved = "kind = 'recovery' AND state = 'open' AND mailed = \(own)"

    /// Selects the ids of claims in the reverse order of `surplus`. The rows after the first `room` ones are the
    /// surplus.
    ///
    /// - Parameter condition: Selects the claims to rank.
    package static func order(of condition: String) -> String {
      var order = "created_at DESC, id DESC"
      var rows = """
        SELECT id, uid, origin, created_at, mailed IN (\(shared), \(hidden)) AS ranks
        FROM claim WHERE \(condition)
        """
      for group in Group.allCases {
        rows = """
          SELECT id, uid, origin, created_at, ranks,
            row_number() OVER (PARTITION BY ranks, \(group.rawValue) ORDER BY \(order)) AS place FROM (\(rows)) AS ranked
          """
        order = "place, created_at DESC, id DESC"
      }
      return "SELECT id FROM (\(rows)) AS ranked ORDER BY ranks DESC, \(order)"
    }
  }
}

/// Limits wrong codes. Beyond a limit, new codes get more digits, so that guessing is hopeless.
package enum CodeBounds {
  /// How long a wrong code counts at its address.
  package static let span = Duration.seconds(86_400)
  /// How long a wrong code counts over all addresses.
  package static let spanOfAll = Duration.seconds(3600)
  /// With this many wrong codes within `spanOfAll` over all addresses, all new codes are long, and a shorter code accepts one
  /// wrong guess.
  package static let all = 1000
  /// The number of digits of a long code.
  package static let longDigits = 12
  /// The most wrong codes that the store remembers. Beyond that it forgets the oldest.
  package static let kept = 500_000

  /// With this many wrong codes within `span` at one address, its new codes are long.
  ///
  /// - Parameter attempts: How many wrong codes end a claim.
  package static func perAddress(_ attempts: Int) -> Int { 10 * attempts }
}

/// The numbers of recent wrong codes, each counted up to a bound only.
package struct WrongCodes: Hashable, Sendable {
  /// The number at one address within `CodeBounds.span`.
  package let atAddress: Int
  /// The number over all addresses within `CodeBounds.spanOfAll`, at most `CodeBounds.all`.
  package let overAll: Int

  package init(atAddress: Int, overAll: Int) {
    self.atAddress = atAddress
    self.overAll = overAll
  }

  /// Whether new codes for the address are long.
  ///
  /// - Parameter attempts: How many wrong codes end a claim.
  func makeLong(_ attempts: Int) -> Bool {
    atAddress >= CodeBounds.perAddress(attempts) || overAll >= CodeBounds.all
  }
}
