/// The person who registered an account that an administrator has to approve. The store keeps this until the account is
/// active or removed, and erases it then.
package struct Registrant: Hashable, Sendable {
  /// The user who registered the account, and the user's own name for the person.
  package let uid: UInt32
  package let origin: Origin?
  /// The language of the mails about the decision, as the caller named it (BCP 47); nil if it named none.
  package let language: String?

  package init(uid: UInt32, origin: Origin? = nil, language: String? = nil) {
    (self.uid, self.origin, self.language) = (uid, origin, language)
  }
}

/// Limits how many accounts wait for an administrator. No account is removed to make room: regd refuses registrations
/// instead, first those of the users and origins that have the most waiting accounts.
package enum WaitingBounds {
  /// The most waiting accounts of all users together. Several regd processes that add accounts at the same moment may
  /// exceed it by these accounts.
  package static let all = 30_000

  /// Whether another account may wait.
  package static func admits(_ others: WaitingCounts) -> Bool { others.leaveRoom(among: all) }
}

/// Limits how many registrations wait for the upstream, as far as a process knows. None is removed to make room: regd
/// refuses new registrations instead, first those of the users and origins that have the most.
package enum PendingBounds {
  /// The most waiting registrations of all users together. Those whose first request to the upstream is in flight may
  /// exceed it.
  package static let all = 200_000

  /// Whether another registration may wait.
  package static func admits(_ others: WaitingCounts) -> Bool { others.leaveRoom(among: all) }
}

/// How many accounts wait for an administrator, without those whose registrant is unknown; or how many registrations wait
/// for the upstream.
package struct WaitingCounts: Equatable, Sendable {
  package let ofAll: Int
  package let ofUser: Int
  /// Those of the user's origin; those without an origin are counted together.
  package let ofOrigin: Int

  package init(ofAll: Int, ofUser: Int, ofOrigin: Int) {
    (self.ofAll, self.ofUser, self.ofOrigin) = (ofAll, ofUser, ofOrigin)
  }

  /// The numbers without one account of the origin.
  var withoutOne: WaitingCounts { WaitingCounts(ofAll: ofAll - 1, ofUser: ofUser - 1, ofOrigin: ofOrigin - 1) }

  /// Whether there is room for one more of the origin among `all`. A user may have no more than are still free, and an
  /// origin no more than its user may still add. So whoever has the most is refused long before there is no room for
  /// others.
  fileprivate func leaveRoom(among all: Int) -> Bool {
    let free = all - ofAll
    return ofUser < free && ofOrigin < free - ofUser
  }
}
