internal import CSimulation
internal import RegdClient

/// Administrators who change the groups of accounts, and sign-ins that require a group.
final class GroupWorkload: Workload {
  let oracle: Oracle
  let callers: Callers
  private let signIns: SignInWorkload

  init(_ signIns: SignInWorkload) {
    (callers, oracle, self.signIns) = (signIns.callers, signIns.oracle, signIns)
  }

  private static let groups = ["editors", "staff"]

  func act(_ kind: Action.Kind, _ chance: inout Chance) {
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
    let known = requests.accountsToSignIn
    let grouped = known.filter { !$0.memberships.isEmpty }
    guard !known.isEmpty else { return }
    let account = chance.one(of: grouped.isEmpty ? known : grouped)
    signIns.signIn(to: account, isRight: !chance.once(in: 6), requiring: names, caller, &chance)
  }
}
