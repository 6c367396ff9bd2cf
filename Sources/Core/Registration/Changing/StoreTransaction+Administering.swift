/// The changes of administrators, and those that regd makes by itself.
extension StoreTransaction {
  mutating func setEnabled(_ id: AccountID, _ isEnabled: Bool, _ stamp: Stamp) throws(Failure) -> Account? {
    let (from, to): (Account.State, Account.State) = isEnabled ? (.disabled, .active) : (.active, .disabled)
    guard let changed = try update(id, .state(to), ifIs: ExpectedAccount(from), at: stamp.time) else {
      return try account(id)?.account
    }
    try write(.note(isEnabled ? .enabled : .disabled, changed, stamp))
    return changed
  }

  mutating func noteGuessed(_ id: AccountID, _ stamp: Stamp) throws(Failure) -> Bool {
    // locked: of several regd that note it at once, one does
    guard let account = try lockedAccount(id)?.account,
      try !hasEntry(.guessed, of: id, since: stamp.time.advanced(by: .seconds(-86_400)))
    else { return false }
    try write(.note(.guessed, account, stamp))
    return true
  }

  mutating func delete(_ id: AccountID, having hash: PasswordHash?, _ stamp: Stamp) throws(Failure) -> DeleteAnswer {
    guard let found = try lockedAccount(id) else { return .gone }
    guard try !isClaimedElsewhere(id) else { return .claimed }
    guard hash == nil || hash == found.passwordHash else { return .changed }
    try remove(id)
    try forgetReleased(found.account.email.key)
    try write(.note(.deleted, found.account, stamp))
    try write(.endAddresses(of: id, at: stamp.time))
    try write(.forgetClaims(of: found.account))
    try write(.forgetMails(of: found.account))
    return .deleted
  }

  package mutating func importing(_ accounts: [StoredAccount], _ stamp: Stamp) throws(Failure) -> [ImportAnswer] {
    let answers = try add(accounts)
    let imported = zip(accounts, answers).filter { $0.1 == .imported }.map(\.0.account)
    for account in imported { try write(.note(.imported, account, stamp)) }
    let complete = imported.filter { $0.state != .pending }
    if !complete.isEmpty { try write(.endClaims(of: complete)) }
    return answers
  }
}
