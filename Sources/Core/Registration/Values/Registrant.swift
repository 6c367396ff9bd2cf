/// The person who registered an account that an administrator has to approve. The store keeps this until the account is
/// active or removed, and erases it then.
package struct Registrant: Hashable, Sendable {
  /// The user who registered the account, and the user's own name for the person.
  package let uid: UInt32
  package let origin: Origin?
  /// The language of the mails about the decision, as the caller named it (BCP 47), or nil if it named none.
  package let language: String?

  package init(uid: UInt32, origin: Origin? = nil, language: String? = nil) {
    (self.uid, self.origin, self.language) = (uid, origin, language)
  }
}

/// Limits how many accounts wait for an administrator. No account is removed to make room: regd refuses registrations
/// instead, first those of the users and origins that have the most waiting accounts.
package enum WaitingBounds {
  /// How many waiting accounts the users share. Together they may have more, but at most one and a half times `perUser`
  /// more for each user, and what several regd processes add at the same moment.
  package static let all = 30_000
  /// A user with fewer waiting accounts is always admitted, however many other users have.
  package static let perUser = 1_200
  /// An origin with fewer waiting accounts may also use its user's reserve for such origins (`leaveRoom`).
  package static let perOrigin = 4

  /// Whether another account may wait.
  package static func admits(_ others: WaitingCounts) -> Bool {
    others.leaveRoom(among: all, perUser: perUser, perOrigin: perOrigin)
  }
}

/// Limits how many registrations wait for the upstream, as far as a process knows. None is removed to make room: regd
/// refuses new registrations instead, first those of the users and origins that have the most. Accounts that were
/// imported as pending or approved by an administrator are not counted and not refused.
package enum PendingBounds {
  /// How many waiting registrations the users share. Together they may have more, but at most one and a half times
  /// `perUser` more for each user, and those whose first request to the upstream is in flight.
  package static let all = 200_000
  /// As `WaitingBounds.perUser`.
  package static let perUser = 8_000
  /// As `WaitingBounds.perOrigin`.
  package static let perOrigin = 4

  /// Whether another registration may wait.
  package static func admits(_ others: WaitingCounts) -> Bool {
    others.leaveRoom(among: all, perUser: perUser, perOrigin: perOrigin)
  }
}

/// How many accounts wait for an administrator, or how many registrations wait for the upstream. Those of an unknown
/// user are left out.
package struct WaitingCounts: Equatable, Sendable {
  package let ofAll: Int
  package let ofUser: Int
  /// Those of the user's origin. The accounts without an origin are counted together.
  package let ofOrigin: Int

  package init(ofAll: Int, ofUser: Int, ofOrigin: Int) {
    (self.ofAll, self.ofUser, self.ofOrigin) = (ofAll, ofUser, ofOrigin)
  }

  /// The numbers without one account of the origin.
  var withoutOne: WaitingCounts { WaitingCounts(ofAll: ofAll - 1, ofUser: ofUser - 1, ofOrigin: ofOrigin - 1) }

  /// Whether there is room for one more of the origin.
  ///
  /// A user's room is what other users leave of `all`, but at least twice `perUser`. The user's origins may fill half of
  /// the room, and none of them gets more than twice what is left of that half. The next quarter is reserved for origins
  /// with fewer than `perOrigin`, so that origins with more do not keep out others of the same user. The last quarter
  /// remains free for other users. A user with fewer than `perUser` is always admitted.
  ///
  /// So after each admission, either all users together have at most `all`, or the user has at most one and a half times
  /// `perUser`. The number of users is bounded, because it is the number of uids that may connect to regd. The number of
  /// origins is not bounded, because callers choose them, so no origin is admitted beyond its user's three quarters.
  fileprivate func leaveRoom(among all: Int, perUser: Int, perOrigin: Int) -> Bool {
    let room = max(all - (ofAll - ofUser), 2 * perUser)
    return ofUser < perUser || ofOrigin < room - 2 * ofUser || ofOrigin < perOrigin && 4 * ofUser < 3 * room
  }
}
