/// How many claims there may be. None is refused: room is made among those that there are.
package enum ClaimBounds {
  /// Living claims for one address whose mail was not admitted. Those that were mailed are bounded by the mails.
  package static let unmailedPerAddress = 100
  /// Claims over all users. A sweep makes room.
  package static let all = 200_000

  /// The claims for which there is no room: first those that were not mailed, then of the user with the most and of its origin with the
  /// most the oldest. So whoever has few keeps them.
  ///
  /// - Returns: So many as there are more than `room`.
  package static func surplus(of claims: [AddressClaim], beyond room: Int) -> [AddressClaim] {
    guard claims.count > room else { return [] }
    struct Tier: Hashable {
      let isMailed: Bool
      let uid: UInt32
      let origin: Origin?
      var isOfUser = false
    }
    var counts: [Tier: Int] = [:]
    func place(_ tier: Tier) -> Int {
      counts[tier, default: 0] += 1
      return counts[tier, default: 0]
    }
    // the newest is the first of its origin; the first of each origin come before the second ones of any in their user
    let ofOrigin = claims.sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }.map { claim in
      (claim, place(Tier(isMailed: claim.isMailed, uid: claim.uid, origin: claim.origin)))
    }
    let ofUser = inOrder(ofOrigin).map { claim in
      (claim, place(Tier(isMailed: claim.isMailed, uid: claim.uid, origin: nil, isOfUser: true)))
    }
    let kept = inOrder(ofUser)
    return (kept.filter(\.isMailed) + kept.filter { !$0.isMailed }).dropFirst(room).reversed()
  }

  private static func inOrder(_ claims: [(AddressClaim, place: Int)]) -> [AddressClaim] {
    claims.sorted { one, other in
      one.place != other.place
        ? one.place < other.place : (one.0.createdAt, one.0.id) > (other.0.createdAt, other.0.id)
    }.map(\.0)
  }
}

/// When codes get more digits, so that guessing them is of no use.
package enum CodeBounds {
  /// How long a wrong code counts at its address.
  package static let span = Duration.seconds(86_400)
  /// How long it counts over all addresses.
  package static let spanOfAll = Duration.seconds(3600)
  /// Wrong codes within `spanOfAll` over all addresses, from which on all codes are long.
  package static let all = 1000
  /// Digits of a long code.
  package static let longDigits = 12
  /// How many wrong codes are kept: past that the oldest are forgotten.
  package static let kept = 500_000

  /// Wrong codes within `span` at one address, from which on its codes are long.
  ///
  /// - Parameter attempts: Wrong codes that end a claim.
  package static func perAddress(_ attempts: Int) -> Int { 10 * attempts }
}

/// How many wrong codes there were lately; each counted to its bound only.
package struct WrongCodes: Hashable, Sendable {
  /// At one address, within `CodeBounds.span`.
  package let atAddress: Int
  /// Over all addresses, within `CodeBounds.spanOfAll`; to `CodeBounds.all`.
  package let overAll: Int

  package init(atAddress: Int, overAll: Int) {
    self.atAddress = atAddress
    self.overAll = overAll
  }
}
