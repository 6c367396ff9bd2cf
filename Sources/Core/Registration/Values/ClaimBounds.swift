/// Limits how many claims the store keeps. It refuses no new claim for lack of room, but removes older ones, or hides them
/// (`AddressClaim.isHiddenInsteadOfRemoved`).
package enum ClaimBounds {
  /// The most unexpired claims of one address that do not rank as mailed (`AddressClaim.ranksAsMailed`). The others are
  /// limited by `MailBounds.perAddressAtMost`.
  package static let unmailedPerAddress = 100
  /// The most claims of all users together. A sweep removes the surplus.
  package static let all = 200_000

  /// Chooses the claims to remove or hide. First come those that do not rank as mailed. Then come, one by one, the
  /// oldest claims of the origin with the most claims, among the origins of the user with the most. So a user with few
  /// claims keeps them.
  ///
  /// - Returns: The surplus, so that `room` claims remain.
  package static func surplus(of claims: [AddressClaim], beyond room: Int) -> [AddressClaim] {
    guard claims.count > room else { return [] }
    struct Tier: Hashable {
      let ranksAsMailed: Bool
      let uid: UInt32
      let origin: Origin?
      var isOfUser = false
    }
    var counts: [Tier: Int] = [:]
    func place(_ tier: Tier) -> Int {
      counts[tier, default: 0] += 1
      return counts[tier, default: 0]
    }
    // ranks claims within their origin, the newest first, and then within their user: a user's newest claim of each
    // origin precedes the second of any origin
    let ofOrigin = claims.sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }.map { claim in
      (claim, place(Tier(ranksAsMailed: claim.ranksAsMailed, uid: claim.uid, origin: claim.origin)))
    }
    let ofUser = inOrder(ofOrigin).map { claim in
      (claim, place(Tier(ranksAsMailed: claim.ranksAsMailed, uid: claim.uid, origin: nil, isOfUser: true)))
    }
    let kept = inOrder(ofUser)
    return (kept.filter(\.ranksAsMailed) + kept.filter { !$0.ranksAsMailed }).dropFirst(room).reversed()
  }

  private static func inOrder(_ claims: [(AddressClaim, place: Int)]) -> [AddressClaim] {
    claims.sorted { one, other in
      one.place != other.place
        ? one.place < other.place : (one.0.createdAt, one.0.id) > (other.0.createdAt, other.0.id)
    }.map(\.0)
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
