internal import CSimulation
internal import RegdClient

/// What is known of whether an account is in a group.
struct Membership {
  var additions = MembershipChanges()
  /// An account begins in no group, as if it had been removed at the beginning of time.
  var removals = MembershipChanges(acknowledged: 0)

  /// Whether the account has been in the group since a sign-in began.
  ///
  /// - Parameter before: The knowledge when the sign-in began.
  /// - Returns: True if it certainly was in the group all the time, false if it certainly never was, and otherwise nil.
  func isMember(since before: Membership) -> Bool? {
    if additions.latest < before.removals.acknowledged { return false }
    return removals.latest < before.additions.acknowledged ? true : nil
  }
}

/// Requests to add an account to a group, or requests to remove it.
struct MembershipChanges {
  /// How many have no certain answer yet.
  private var open = 0
  /// When the last answer came after which the change may have been made.
  private var answered = Int64.min
  /// When the latest acknowledged change was requested.
  private(set) var acknowledged: Int64

  init(acknowledged: Int64 = .min) { self.acknowledged = acknowledged }

  /// The latest time at which a change may have been made. `Int64.max` if regd may still make one, because one is in
  /// flight, or its answer was lost.
  var latest: Int64 { open > 0 ? .max : answered }

  mutating func begin() { open += 1 }

  /// - Parameters:
  ///   - asked: When the change was requested.
  ///   - stays: Whether only another request can undo the change.
  mutating func end(_ end: Request.End, asked: Int64, stays: Bool) {
    guard !end.isLost, !end.isPending else { return }
    open -= 1
    if case .unsent = end { return }
    answered = simulated_now()
    if end.result != nil, stays { acknowledged = max(acknowledged, asked) }
  }
}

extension KnownAccount {
  /// Whether the account has been in one of these groups since a sign-in began.
  ///
  /// - Parameters:
  ///   - groups: If the list is empty, the result is true.
  ///   - before: The account's memberships when the sign-in began.
  /// - Returns: True if it certainly was in one of them, false if it certainly was in none, and otherwise nil.
  func isMember(ofOneOf groups: [String], since before: [String: Membership]) -> Bool? {
    guard !groups.isEmpty else { return true }
    let answers = groups.map { (memberships[$0] ?? Membership()).isMember(since: before[$0] ?? Membership()) }
    if answers.contains(true) { return true }
    return answers.contains(nil) ? nil : false
  }
}
