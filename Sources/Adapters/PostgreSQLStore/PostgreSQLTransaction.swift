package import Registration

/// The transaction of a change or of a look-up. A change writes accounts, requests, deliveries and released
/// registrations at once. It writes everything else later, after the locks of addresses (`CommitCoordinator`).
package final class PostgreSQLTransaction {
  let connection: Connection
  /// The regd that has the store open.
  let claimant: Claimant
  let codeKey: CodeKey
  let sequencer: AuditSequencer
  /// The time to use instead of the server's clock, for tests. Nil means the clock.
  private let serverTime: Timestamp?
  var changes = Changes()
  package var failure: ServerFailure?

  init(
    _ connection: Connection, _ claimant: Claimant, _ codeKey: CodeKey, _ sequencer: AuditSequencer,
    serverTime: Timestamp?
  ) {
    (self.connection, self.claimant, self.codeKey, self.sequencer) = (connection, claimant, codeKey, sequencer)
    self.serverTime = serverTime
  }

  func clocks(_ now: Timestamp) -> Clocks { Clocks(now, server: serverTime) }
}

// MARK: - Accounts and requests

extension PostgreSQLTransaction: DatabaseTransaction {
  package func account(_ key: EmailKey) throws(StoreFailure) -> StoredAccount? {
    try kept(AccountRow.find(connection, key))
  }

  package func account(_ id: AccountID) throws(StoreFailure) -> StoredAccount? {
    try kept(AccountRow.find(connection, id))
  }

  package func lockedAccount(_ id: AccountID) throws(StoreFailure) -> StoredAccount? {
    try kept(AccountRow.lock(connection, id))
  }

  package func holder(of account: Account) throws(StoreFailure) -> StoredAccount? {
    try keeping { () throws(ServerFailure) in
      let answers = try connection.run([AccountRow.look(account.email.key), AccountRow.look(account.id)])
      guard let row = answers[0].first ?? answers[1].first else { return nil }
      return try AccountRow.read(row)
    }
  }

  package func accounts(
    _ state: Account.State?, after: AccountID?, limit: Int
  ) throws(StoreFailure) -> [StoredAccount] {
    try kept(AccountRow.list(connection, state, after: after, limit: limit))
  }

  package func members(
    of group: GroupName, after: AccountID?, limit: Int
  ) throws(StoreFailure) -> [StoredAccount] {
    try kept(AccountRow.list(connection, of: group, after: after, limit: limit))
  }

  package func groups(
    after: GroupName?, limit: Int, counting most: Int
  ) throws(StoreFailure) -> Page<GroupName, CountedGroup> {
    try kept(AccountRow.groups(connection, after: after, limit: limit, counting: most))
  }

  package func add(
    _ account: StoredAccount, _ request: RequestKey?, seen: [AccountID]?
  ) throws(StoreFailure) -> InsertAnswer {
    try keeping { () throws(ServerFailure) in
      while true {
        if let answer = try adding(account, request, seen) { return answer }
        // the account with the key or the request was deleted in between
        try connection.rollBack()
        connection.begin()
      }
    }
  }

  /// - Returns: The answer, or nil if the insertion must be tried again.
  private func adding(
    _ account: StoredAccount, _ request: RequestKey?, _ seen: [AccountID]?
  ) throws(ServerFailure) -> InsertAnswer? {
    // unless the account is pending, it ends the claims of its address, so that address is locked
    let keys: Set = account.account.state == .pending ? [] : [account.account.email.key]
    let asking = request.map { [sequencer.locks.request($0), RequestRow.look($0)] } ?? []
    let noting = request.map { [RequestRow.insertion($0, account.account.id)] } ?? []
    // looked up after the insertion, because the insertion waits for a concurrent release of the same address
    let recalling = seen == nil ? [] : request.map { [ReleasedRow.last($0, account.account.email.key)] } ?? []
    let own = asking + [AccountRow.insertion(account)] + noting
    let answers = try connection.run(own + sequencer.entering(keys) + recalling)
    if request != nil, let row = answers[1].first {
      let known = try RequestRow.read(row)
      try connection.rollBack()
      return .requestKnown(known)
    }
    guard answers[asking.count].changedRows == 1 else {
      // the request was not noted, because its account was not inserted
      let holder = try AccountRow.find(connection, account.account.email.key)
      try connection.rollBack()
      return holder.map { .taken($0) }
    }
    guard let request, answers[own.count - 1].changedRows == 0 else {
      let last = answers.dropFirst(own.count + 2).first?.first.flatMap { AccountID($0.text(0)) }
      if let seen, let last, !seen.contains(last) {
        try connection.rollBack()
        return .releasedMeanwhile(last)
      }
      changes.ticket = CommitTicket(keys: keys, entered: answers[own.count], others: answers[own.count + 1])
      return .inserted
    }
    // another registration of the same request was faster
    try connection.rollBack()
    return try RequestRow.find(connection, request).map { .requestKnown($0) }
  }

  package func add(_ accounts: [StoredAccount]) throws(StoreFailure) -> [ImportAnswer] {
    try keeping { () throws(ServerFailure) in
      // all accounts are inserted before the reasons are looked up, because a record may conflict with an earlier one of
      // this import
      let inserted = try connection.run(accounts.map { AccountRow.insertion($0, orNothing: true) })
      var answers: [ImportAnswer] = []
      for (account, insertion) in zip(accounts, inserted) {
        answers.append(insertion.changedRows == 1 ? .imported : try reason(account))
      }
      return answers
    }
  }

  /// Why an account was not inserted.
  private func reason(_ account: StoredAccount) throws(ServerFailure) -> ImportAnswer {
    do throws(ServerFailure) {
      let holder = try AccountRow.find(connection, account.account.email.key)
      if let holder { return holder.answer(toImporting: account) }
    } catch {
      // an unreadable row has the address, which is no reason to reject the other records
      guard let row = error.row else { throw error }
      connection.damage?.note(row)
      return .emailTaken
    }
    return .idTaken
  }

  package func update(
    _ id: AccountID, _ update: AccountUpdate, ifIs expected: ExpectedAccount, at time: Timestamp
  ) throws(StoreFailure) -> Account? {
    try keeping { () throws(ServerFailure) in
      // If another account gets the new address meanwhile, the unique constraint fails. The repeated transaction sees that
      // account.
      let own = AccountRow.updating(id, update, ifIs: expected, time)
      // a change that may end claims must lock the account's address, which is known only from this statement's answer
      let locksMore = update.mayEndClaims || expected.state == .pending
      let answers = try connection.run([own] + (locksMore ? [] : sequencer.entering([])))
      guard let row = answers[0].first else { return nil }
      if !locksMore { changes.ticket = CommitTicket(keys: [], entered: answers[1], others: answers[2]) }
      return try AccountRow.read(row).account
    }
  }

  package func waiting(by registrant: Registrant) throws(StoreFailure) -> WaitingCounts {
    try kept(AccountRow.waiting(connection, by: registrant))
  }

  package func confirm(_ id: AccountID, at time: Timestamp?) throws(StoreFailure) -> Bool {
    try keeping { () throws(ServerFailure) in
      // skips an account that already has this `confirmed_at`, so that no commit is needed
      let changed = try connection.answer(
        Statement(
          """
          UPDATE account SET confirmed_at = $2::timestamptz
          WHERE id = $1 AND CASE WHEN $2::timestamptz IS NULL THEN confirmed_at IS NOT NULL
            ELSE coalesce(confirmed_at < $2::timestamptz, TRUE) END
          """, [.text(id.description), .init(time?.rfc3339)]))
      if changed.changedRows == 1 { return true }
      return try AccountRow.exists(connection, id)
    }
  }

  package func remove(_ id: AccountID) throws(StoreFailure) {
    connection.runLater("DELETE FROM account WHERE id = $1", [.text(id.description)])
  }

  package func request(_ request: RequestKey) throws(StoreFailure) -> KnownRequest? {
    try kept(RequestRow.find(connection, request))
  }

  package func note(_ request: RequestKey, for id: AccountID) throws(StoreFailure) -> KnownRequest? {
    try keeping { () throws(ServerFailure) in
      let answers = try connection.run([
        sequencer.locks.request(request), RequestRow.insertion(request, id), RequestRow.look(request),
      ])
      guard let row = answers.last?.first else { return nil }
      return try RequestRow.read(row)
    }
  }

  package func remember(_ id: AccountID, at time: Timestamp) throws(StoreFailure) {
    try kept(ReleasedRow.remember(connection, id, clocks(time)))
  }

  package func forgetReleased(_ key: EmailKey) throws(StoreFailure) {
    ReleasedRow.forget(connection, key)
  }

  package func released(
    _ request: RequestKey, _ key: EmailKey, at now: Timestamp
  ) throws(StoreFailure) -> [ReleasedRegistration] {
    try kept(ReleasedRow.find(connection, request, key, clocks(now)))
  }

  // MARK: Deliveries

  /// The caller must have locked the account's row.
  package func isClaimedElsewhere(_ id: AccountID) throws(StoreFailure) -> Bool {
    try kept(DeliveryRow.isClaimedElsewhere(connection, id, than: claimant))
  }

  package func claimDelivery(of id: AccountID) throws(StoreFailure) {
    DeliveryRow.claim(connection, id, claimant)
  }

  package func putOff(_ id: AccountID, _ delivery: Delivery) throws(StoreFailure) {
    DeliveryRow.putOff(connection, id, delivery)
  }

  package func forgetDelivery(of id: AccountID) throws(StoreFailure) {
    DeliveryRow.forget(connection, id)
  }

  package func pendingAccounts(after: AccountID?, limit: Int) throws(StoreFailure) -> [PendingAccount] {
    try kept(DeliveryRow.list(connection, after: after, limit: limit, claimant))
  }

  package func pendingAccount(_ id: AccountID) throws(StoreFailure) -> PendingAccount? {
    try kept(DeliveryRow.find(connection, id, claimant))
  }
}

extension AccountUpdate {
  fileprivate var mayEndClaims: Bool {
    switch self {
    case .email, .password, .recovered: true
    case .mark, .state, .disabled, .epoch, .terms, .groups, .displayName: false
    }
  }
}
