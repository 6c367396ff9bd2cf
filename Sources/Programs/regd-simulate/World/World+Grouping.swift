internal import CSimulation
internal import RegdClient

/// Plays administrators who change the groups of accounts, and sign-ins that require a group.
extension World {
  private static let groups = ["editors", "staff"]

  func group(_ kind: Action.Kind, _ chance: inout Chance) {
    let names = chance.once(in: 3) ? Self.groups : [chance.one(of: Self.groups)]
    switch kind {
    case .signInAsMember: signInAsMember(of: names, &chance)
    default: changeGroups(names, isAddition: kind == .addGroups, &chance)
    }
  }

  /// Names as a JSON array.
  static func list(_ names: [String]) -> String { "[\(names.map { "\"\($0)\"" }.joined(separator: ","))]" }

  private func changeGroups(_ names: [String], isAddition: Bool, _ chance: inout Chance) {
    guard let caller = caller(&chance, uid: 0) else { return }
    let known = requests.accounts.filter { $0.isDeleted == false }
    guard !known.isEmpty else { return }
    let account = chance.one(of: known)
    let changes: WritableKeyPath<Membership, MembershipChanges> = isAddition ? \.additions : \.removals
    // a pending account may be released, and made again under its id, in no group
    let stays = account.isActive || !isAddition
    let asked = simulated_now()
    for name in names { account.memberships[name, default: Membership()][keyPath: changes].begin() }
    let method = isAddition ? "account.addGroups" : "account.removeGroups"
    ask(method, "{\"id\":\"\(account.id)\",\"groups\":\(Self.list(names))}", caller, &chance) { end in
      for name in names { account.memberships[name]?[keyPath: changes].end(end, asked: asked, stays: stays) }
    }
  }

  private func signInAsMember(of names: [String], _ chance: inout Chance) {
    guard let caller = caller(&chance) else { return }
    let known = accountsToSignIn
    let grouped = known.filter { !$0.memberships.isEmpty }
    guard !known.isEmpty else { return }
    let account = chance.one(of: grouped.isEmpty ? known : grouped)
    signIn(to: account, isRight: !chance.once(in: 6), requiring: names, caller, &chance)
  }
}

/// The world's knowledge of whether an account is in a group.
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
