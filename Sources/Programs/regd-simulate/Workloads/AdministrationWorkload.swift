internal import RegdClient

/// Administrators who disable, enable and delete accounts, and set passwords.
final class AdministrationWorkload: Workload {
  let oracle: Oracle
  let callers: Callers

  init(_ callers: Callers) { (self.callers, oracle) = (callers, callers.oracle) }

  func act(_ kind: Action.Kind, _ chance: inout Chance) {
    guard let caller = caller(&chance, uid: 0) else { return }
    if kind == .retry { return ask("outbox.retry", "null", caller, &chance) { _ in } }
    let known = requests.accounts.filter { $0.isActive && $0.isDeleted == false && $0.isDisabled != nil }
    guard !known.isEmpty else { return }
    let account = chance.one(of: known)
    account.version += 1
    let new = password(chance.below(3))
    if kind == .delete { claims.doubt(account.key) }
    switch kind {
    case .setPassword:
      account.passwordChanges.begin()
      account.password = nil
    case .delete: account.isDeleted = nil
    default:
      account.stateChanges.begin()
      account.isDisabled = nil
    }
    // until the answer arrives, it is unknown whether the account's stamp is still valid
    defer { account.stamp = nil }
    let method = kind == .setPassword ? "account.setPassword" : "account.\(kind)"
    let more = kind == .setPassword ? ",\"password\":\"\(new)\",\"passwordConfirmation\":\"\(new)\"" : ""
    let stamp = account.stamp
    ask(method, "{\"id\":\"\(account.id)\"\(more)}", caller, &chance) { [unowned self] end in
      account.version += 1
      // a change without an answer, or in doubt, may still be done
      let isOver = !end.isLost && !end.isPending
      let isAlone =
        switch kind {
        case .setPassword: account.passwordChanges.end(isOver: isOver)
        case .delete: true
        default: account.stateChanges.end(isOver: isOver)
        }
      if kind == .delete { claims.endDoubt(account.key, isLost: end.isLost) }
      if account.signInsInFlight > 0 { account.mayShareOldAnswer = true }
      guard end.result != nil else {
        account.stamp = nil
        return
      }
      switch kind {
      case .setPassword: account.password = isAlone ? new : nil
      case .delete: account.isDeleted = true
      default: account.isDisabled = isAlone ? kind == .disable : nil
      }
      guard kind != .enable else { return }
      account.stamp = stamp
      account.endStamps()
    }
  }
}
