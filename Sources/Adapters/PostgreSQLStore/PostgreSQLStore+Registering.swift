package import Registration

/// What registering and signing in ask of the store.
extension PostgreSQLStore {
  package func insert(
    _ account: StoredAccount, request: RequestKey?, _ stamp: Stamp
  ) async throws(StoreFailure) -> InsertAnswer {
    let claimant = claimant
    return try await change(Concern([account], request), for: stamp.by.share) {
      (connection, changes) throws(ServerFailure) in
      try Self.insert(connection, account, request, stamp, claimant, &changes)
    }
  }

  /// - Parameter required: What must hold behind the lock.
  static func insert(
    _ connection: Connection, _ account: StoredAccount, _ request: RequestKey?, requiring required: Statement? = nil,
    _ stamp: Stamp, _ claimant: Claimant, _ changes: inout Changes
  ) throws(ServerFailure) -> InsertAnswer {
    while true {
      if let answer = try insert(connection, account, request) {
        guard answer == .inserted else { return answer }
        if let required { changes.require(required) }
        if account.account.state == .pending {
          _ = try connection.answer(DeliveryRow.claiming(account.account.id, claimant))
          changes.note(.reserved, account.account, stamp)
        } else {
          changes.note(.registered, account.account, stamp)
          changes.add(ClaimRow.ending(for: [account.account]))
        }
        return answer
      }
      // who had the key, or the request, has gone in between
      try connection.rollBack()
      connection.begin()
    }
  }

  /// - Returns: Nil where it is to be done again.
  private static func insert(
    _ connection: Connection, _ account: StoredAccount, _ request: RequestKey?
  ) throws(ServerFailure) -> InsertAnswer? {
    if let request, let known = try RequestRow.find(connection, request) { return .requestKnown(known) }
    let insertion = AccountRow.insertion(account)
    let noting = request.map { [RequestRow.insertion($0, account.account.id)] } ?? []
    let answers = try connection.run([insertion] + noting)
    guard answers.first?.changedRows == 1 else {
      // the request of another account was not noted: the account that it is to belong to is not there
      let holder = try AccountRow.find(connection, account.account.email.key)
      try connection.rollBack()
      return holder.map { .taken($0) }
    }
    guard answers.count == 2, answers.last?.changedRows == 0, let request else { return .inserted }
    // another registration of the same request was quicker
    try connection.rollBack()
    return try RequestRow.find(connection, request).map { .requestKnown($0) }
  }

  package func find(_ key: EmailKey) async throws(StoreFailure) -> StoredAccount? {
    try await look { concern, found in
      concern.keys.contains(key) || (found ?? nil).map { concern.ids.contains($0.account.id) } ?? false
    } _: { (connection) throws(ServerFailure) in
      try AccountRow.find(connection, key)
    }
  }

  package func find(_ id: AccountID) async throws(StoreFailure) -> StoredAccount? {
    try await look { concern, _ in
      concern.ids.contains(id)
    } _: { (connection) throws(ServerFailure) in
      try AccountRow.find(connection, id)
    }
  }

  package func find(_ request: RequestKey) async throws(StoreFailure) -> KnownRequest? {
    try await look { concern, found in
      // which request a claim has that is being proven is known to the store alone
      concern.requests.contains(request) || !concern.claims.isEmpty
        || (found ?? nil).map { concern.ids.contains($0.account.id) } ?? false
    } _: { (connection) throws(ServerFailure) in
      try RequestRow.find(connection, request)
    }
  }

  package func awaitCommits(for share: Share) async throws(StoreFailure) {
    // whoever commits has the row
    try await changeLocked(Concern(), for: share, reading: []) { _, _ in }
  }

  package func note(_ request: RequestKey, for id: AccountID) async throws(StoreFailure) -> NoteAnswer {
    // a caller that has given up was told that the registration is pending, and has to find it by its request
    try await change(Concern(id, request), for: Share(uid: request.uid), evenIfLate: true) {
      (connection, _) throws(ServerFailure) in
      let answers = try connection.run([RequestRow.insertion(request, id), RequestRow.look(request)])
      guard let row = answers.last?.first else { return .gone }
      let known = try RequestRow.read(row)
      guard known.account.id == id else {
        return try AccountRow.exists(connection, id) ? .known(known) : .gone
      }
      return .noted
    }
  }

  package func activate(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> Account? {
    try await change(Concern(id), for: stamp.by.share) { (connection, changes) throws(ServerFailure) in
      let activated = try AccountRow.update(
        connection, id, set: "state = 'active', updated_at = greatest(updated_at, $2)", where: "state = 'pending'",
        [.text(stamp.time.rfc3339)])
      if let account = activated?.account {
        try DeliveryRow.forget(connection, id)
        changes.note(.activated, account, stamp)
        changes.add(ClaimRow.ending(for: [account]))
        return account
      }
      guard let account = try AccountRow.find(connection, id)?.account, account.state == .active else { return nil }
      if try ClaimRow.hasOpen(connection, account.email.key) { changes.add(ClaimRow.ending(for: [account])) }
      return account
    }
  }

  package func release(
    _ id: AccountID, seen: Timestamp, remembered: Bool, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    let claimant = claimant
    return try await change(Concern(id), for: stamp.by.share) { (connection, changes) throws(ServerFailure) in
      guard let account = try AccountRow.lock(connection, pending: id, seen: seen),
        try !DeliveryRow.isClaimedElsewhere(connection, id, than: claimant)
      else { return false }
      if remembered { try ReleasedRow.remember(connection, id, stamp.time) }
      try connection.run("DELETE FROM account WHERE id = $1", [.text(id.description)])
      changes.note(.released, account, stamp)
      changes.add(AuditRow.endingAddresses(of: id, at: stamp.time))
      return true
    }
  }

  package func released(
    _ request: RequestKey, _ key: EmailKey, at now: Timestamp
  ) async throws(StoreFailure) -> [ReleasedRegistration] {
    // what an account in doubt may be released as is not there yet, and is not missed: it is looked up first
    try await look { concern, _ in
      concern.keys.contains(key)
    } _: { (connection) throws(ServerFailure) in
      try ReleasedRow.find(connection, request, key, now)
    }
  }

  package func confirm(_ id: AccountID, at time: Timestamp?) async throws(StoreFailure) -> Bool {
    try await change(Concern(id), for: .daemon, evenIfLate: true) { (connection, _) throws(ServerFailure) in
      // what is as it should be already needs no commit
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

  package func replaceHash(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    // the hash records what the authority has said, whether or not a caller still waits
    try await change(Concern(id), for: stamp.by.share, evenIfLate: true) {
      (connection, changes) throws(ServerFailure) in
      let replaced = try AccountRow.update(
        connection, id,
        set: "password_hash = $3, updated_at = greatest(updated_at, $4), confirmed_at = $4::timestamptz",
        where: "password_hash = $2", [.text(old.phc), .text(new.phc), .text(stamp.time.rfc3339)])
      guard let account = replaced?.account else { return false }
      changes.note(.rehashed, account, stamp)
      return true
    }
  }
}
