/// Implements the operations for registering and signing in, for the outbox and for administrators.
extension AccountStore {
  package func insert(
    _ account: StoredAccount, request: RequestKey?, _ admission: Admission, _ stamp: Stamp
  ) async throws(StoreFailure) -> InsertAnswer {
    var scope = ChangeScope([account], request)
    scope.invitations = Set([admission.invitation].compactMap(\.self))
    scope.mails = Set([admission.notice?.id].compactMap(\.self))
    return try await change(.insert, scope, for: stamp.by.share) { (rows) throws(StoreFailure) in
      try rows.insert(account, request: request, admission, stamp)
    }
  }

  package func find(_ key: EmailKey) async throws(StoreFailure) -> StoredAccount? {
    try await look(.find, ChangeScope(key), ChangeScope.about) { (rows) throws(StoreFailure) in try rows.account(key) }
  }

  package func find(_ id: AccountID) async throws(StoreFailure) -> StoredAccount? {
    try await look(.find, ChangeScope(id)) { (rows) throws(StoreFailure) in try rows.account(id) }
  }

  package func find(_ request: RequestKey) async throws(StoreFailure) -> KnownRequest? {
    // A `prove` in doubt may have made the registration. Its concern names the claim, but not the claim's request.
    try await look(.find, ChangeScope(request: request, anyClaim: true), ChangeScope.about) {
      (rows) throws(StoreFailure) in
      try rows.request(request)
    }
  }

  package func note(_ request: RequestKey, for id: AccountID) async throws(StoreFailure) -> NoteAnswer {
    try await change(.note, ChangeScope(id, request), for: Share(uid: request.uid)) { (rows) throws(StoreFailure) in
      try rows.noteKnown(request, for: id)
    }
  }

  package func activate(
    _ id: AccountID, approved notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    var scope = ChangeScope(id)
    scope.mails = Set([notice?.id].compactMap(\.self))
    return try await change(.activate, scope, for: stamp.by.share) { (rows) throws(StoreFailure) in
      try rows.activate(id, approved: notice, stamp)
    }
  }

  package func release(
    _ id: AccountID, seen: Timestamp, remembered: Bool, endingClaim: Bool, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    var scope = ChangeScope(id)
    // Only the store knows which claim ends. Other releases must not put all claims in doubt.
    scope.isOfAnyClaim = endingClaim
    return try await change(.release, scope, for: stamp.by.share) { (rows) throws(StoreFailure) in
      try rows.release(id, seen: seen, remembered: remembered, endingClaim: endingClaim, stamp)
    }
  }

  package func released(
    _ request: RequestKey, _ key: EmailKey, at now: Timestamp
  ) async throws(StoreFailure) -> [ReleasedRegistration] {
    // the request needs no concern, because the caller has already looked up the request's account
    try await look(.released, ChangeScope(key)) { (rows) throws(StoreFailure) in
      try rows.released(request, key, at: now)
    }
  }

  package func replaceHash(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, epoch: SessionEpoch?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    try await change(.replaceHash, ChangeScope(id), for: stamp.by.share) { (rows) throws(StoreFailure) in
      try rows.replaceHash(of: id, from: old, to: new, epoch: epoch, stamp)
    }
  }

  package func confirm(_ id: AccountID, at time: Timestamp?) async throws(StoreFailure) -> Bool {
    try await change(.confirm, ChangeScope(id), for: .daemon) { (rows) throws(StoreFailure) in
      try rows.confirm(id, at: time)
    }
  }

  package func noteGuessed(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> Bool {
    try await change(.noteGuessed, ChangeScope(id), for: stamp.by.share) { (rows) throws(StoreFailure) in
      try rows.noteGuessed(id, stamp)
    }
  }

  // MARK: The outbox

  package func resume(_ id: AccountID, seen: Timestamp, _ stamp: Stamp) async throws(StoreFailure) -> ResumeAnswer {
    try await change(.resume, ChangeScope(id), for: stamp.by.share) { (rows) throws(StoreFailure) in
      try rows.resume(id, seen: seen, stamp)
    }
  }

  package func renew(_ id: AccountID, seen: Timestamp, for share: Share) async throws(StoreFailure) -> Bool {
    try await change(.renew, ChangeScope(id), for: share) { (rows) throws(StoreFailure) in
      try rows.renew(id, seen: seen)
    }
  }

  package func putOff(_ id: AccountID, seen: Timestamp, _ delivery: Delivery) async throws(StoreFailure) -> Bool {
    try await change(.putOff, ChangeScope(id), for: .daemon) { (rows) throws(StoreFailure) in
      try rows.putOff(id, seen: seen, delivery)
    }
  }

  package func pending(after: AccountID?, limit: Int) async throws(StoreFailure) -> [PendingAccount] {
    try await list(.pending) { (rows) throws(StoreFailure) in try rows.pendingAccounts(after: after, limit: limit) }
  }

  package func find(pending id: AccountID) async throws(StoreFailure) -> PendingAccount? {
    try await look(.find, ChangeScope(id)) { (rows) throws(StoreFailure) in try rows.pendingAccount(id) }
  }

  // MARK: Administering

  package func setPassword(
    of id: AccountID, to hash: PasswordHash, epoch: SessionEpoch, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await change(.setPassword, ChangeScope(id), for: stamp.by.share) { (rows) throws(StoreFailure) in
      try rows.setPassword(of: id, to: hash, epoch: epoch, stamp)
    }
  }

  package func setEnabled(
    _ id: AccountID, _ isEnabled: Bool, epoch: SessionEpoch, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await change(.setEnabled, ChangeScope(id), for: stamp.by.share) { (rows) throws(StoreFailure) in
      try rows.setEnabled(id, isEnabled, epoch: epoch, stamp)
    }
  }

  package func changeGroups(
    of id: AccountID, adding added: [GroupName], removing removed: [GroupName], _ stamp: Stamp
  ) async throws(StoreFailure) -> GroupingAnswer {
    try await change(.changeGroups, ChangeScope(id), for: stamp.by.share) { (rows) throws(StoreFailure) in
      try rows.changeGroups(of: id, adding: added, removing: removed, stamp)
    }
  }

  package func setDisplayName(
    of id: AccountID, to name: DisplayName?, having hash: PasswordHash?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await change(.setDisplayName, ChangeScope(id), for: stamp.by.share) { (rows) throws(StoreFailure) in
      try rows.setDisplayName(of: id, to: name, having: hash, stamp)
    }
  }

  package func groups(after: GroupName?, limit: Int) async throws(StoreFailure) -> [CountedGroup] {
    try await list(.groups) { (rows) throws(StoreFailure) in try rows.groups(after: after, limit: limit) }
  }

  package func signOut(
    _ id: AccountID, having hash: PasswordHash?, epoch: SessionEpoch, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await change(.signOut, ChangeScope(id), for: stamp.by.share) { (rows) throws(StoreFailure) in
      try rows.signOut(id, having: hash, epoch: epoch, stamp)
    }
  }

  package func approve(
    _ id: AccountID, to state: Account.State, _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    var scope = ChangeScope(mails: [notice?.id])
    scope.ids = [id]
    return try await change(.approve, scope, for: stamp.by.share) { (rows) throws(StoreFailure) in
      try rows.approve(id, to: state, notice, stamp)
    }
  }

  package func disapprove(_ id: AccountID, seen: Timestamp, _ stamp: Stamp) async throws(StoreFailure) -> Bool {
    try await change(.disapprove, ChangeScope(id), for: stamp.by.share) { (rows) throws(StoreFailure) in
      try rows.disapprove(id, seen: seen, stamp)
    }
  }

  package func refuse(_ id: AccountID, _ notice: MailIntent?, _ stamp: Stamp) async throws(StoreFailure) -> Bool {
    var scope = ChangeScope(mails: [notice?.id])
    scope.ids = [id]
    return try await change(.refuse, scope, for: stamp.by.share) { (rows) throws(StoreFailure) in
      try rows.refuse(id, notice, stamp)
    }
  }

  package func delete(
    _ id: AccountID, having hash: PasswordHash?, _ stamp: Stamp
  ) async throws(StoreFailure) -> DeleteAnswer {
    try await change(.delete, ChangeScope(id), for: stamp.by.share) { (rows) throws(StoreFailure) in
      try rows.delete(id, having: hash, stamp)
    }
  }

  package func importing(_ accounts: [StoredAccount], _ stamp: Stamp) async throws(StoreFailure) -> [ImportAnswer] {
    try await change(.importing, ChangeScope(accounts), for: stamp.by.share) { (rows) throws(StoreFailure) in
      try rows.importing(accounts, stamp)
    }
  }

  package func list(
    _ state: Account.State?, after: AccountID?, limit: Int
  ) async throws(StoreFailure) -> [StoredAccount] {
    try await list(.list) { (rows) throws(StoreFailure) in try rows.accounts(state, after: after, limit: limit) }
  }

  package func members(
    of group: GroupName, _ state: Account.State?, after: AccountID?, limit: Int
  ) async throws(StoreFailure) -> [StoredAccount] {
    try await list(.list) { (rows) throws(StoreFailure) in
      try rows.members(of: group, state, after: after, limit: limit)
    }
  }

  package func audit(after: Int, limit: Int) async throws(StoreFailure) -> [AuditEntry] {
    try await list(.audit) { (rows) throws(StoreFailure) in try rows.audit(after: after, limit: limit) }
  }

  package func audit(of id: AccountID, limit: Int) async throws(StoreFailure) -> [AuditEntry] {
    try await list(.auditOf) { (rows) throws(StoreFailure) in try rows.audit(of: id, limit: limit) }
  }

  package func history(of id: AccountID, after: Int, limit: Int) async throws(StoreFailure) -> AccountHistory? {
    try await list(.auditOf) { (rows) throws(StoreFailure) in try rows.history(of: id, after: after, limit: limit) }
  }
}
