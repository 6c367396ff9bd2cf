package import Registration

/// What registering and signing in ask of the store.
extension SQLiteStore {
  package func insert(
    _ account: StoredAccount, request: RequestKey?, _ stamp: Stamp
  ) async throws(StoreFailure) -> InsertAnswer {
    try await change(Concern([account], request), for: stamp.by.share) { (connection, changes) throws(SQLiteFailure) in
      try Self.insert(account, request, stamp, connection, &changes)
    }
  }

  static func insert(
    _ account: StoredAccount, _ request: RequestKey?, _ stamp: Stamp, _ connection: Connection,
    _ changes: inout Changes
  ) throws(SQLiteFailure) -> InsertAnswer {
    if let request, let known = try RequestRow.find(connection, request) { return .requestKnown(known) }
    guard try AccountRow.insert(connection, account) else {
      guard let holder = try AccountRow.find(connection, by: .emailKey, account.account.email.key.value) else {
        throw SQLiteFailure.damaged("a key is taken by nobody")
      }
      return .taken(holder)
    }
    let id = account.account.id
    let isPending = account.account.state == .pending
    if isPending { try DeliveryRow.claim(connection, id, changes.claimant) }
    try RequestRow.note(connection, request, id)
    try changes.note(isPending ? .reserved : .registered, account.account, stamp)
    if !isPending { try ClaimRow.end(connection, for: account.account) }
    return .inserted
  }

  package func find(_ key: EmailKey) async throws(StoreFailure) -> StoredAccount? {
    try await look { concern, found in
      concern.keys.contains(key) || found.map { concern.ids.contains($0.account.id) } ?? false
    } _: { (connection) throws(SQLiteFailure) in
      try AccountRow.find(connection, by: .emailKey, key.value)
    }
  }

  package func find(_ id: AccountID) async throws(StoreFailure) -> StoredAccount? {
    try await look { concern, _ in
      concern.ids.contains(id)
    } _: { (connection) throws(SQLiteFailure) in
      try AccountRow.find(connection, id)
    }
  }

  package func find(_ request: RequestKey) async throws(StoreFailure) -> KnownRequest? {
    try await look { concern, found in
      // which request a claim has that is being proven is known to the store alone
      concern.requests.contains(request) || !concern.claims.isEmpty
        || found.map { concern.ids.contains($0.account.id) } ?? false
    } _: { (connection) throws(SQLiteFailure) in
      try RequestRow.find(connection, request)
    }
  }

  package func note(_ request: RequestKey, for id: AccountID) async throws(StoreFailure) -> NoteAnswer {
    // a caller that has given up was told that the registration is pending, and has to find it by its request
    try await change(Concern(id, request), for: Share(uid: request.uid), evenIfLate: true) {
      (connection, _) throws(SQLiteFailure) in
      guard try AccountRow.find(connection, id) != nil else { return .gone }
      try RequestRow.note(connection, request, id)
      guard let known = try RequestRow.find(connection, request) else {
        throw SQLiteFailure.damaged("a request is noted and not there")
      }
      return known.account.id == id ? .noted : .known(known)
    }
  }

  package func activate(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> Account? {
    try await change(Concern(id), for: stamp.by.share) { (connection, changes) throws(SQLiteFailure) in
      try connection.run(
        "UPDATE account SET state = 'active', updated_at = max(updated_at, ?2) WHERE id = ?1 AND state = 'pending'",
        [id.description, stamp.time.rfc3339])
      let isChanged = connection.changes == 1
      guard let account = try AccountRow.find(connection, id)?.account, account.state == .active else { return nil }
      try ClaimRow.end(connection, for: account)
      if isChanged {
        try DeliveryRow.forget(connection, id)
        try changes.note(.activated, account, stamp)
      }
      return account
    }
  }

  package func release(
    _ id: AccountID, seen: Timestamp, remembered: Bool, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    try await change(Concern(id), for: stamp.by.share) { (connection, changes) throws(SQLiteFailure) in
      guard let account = try AccountRow.find(connection, pending: id, seen: seen),
        try !DeliveryRow.isClaimedElsewhere(connection, id, than: changes.claimant)
      else { return false }
      if remembered { try ReleasedRow.remember(connection, id, stamp.time) }
      try connection.run("DELETE FROM account WHERE id = ?1", [id.description])
      try changes.note(.released, account, stamp)
      try AuditAddressRow.end(connection, of: id, stamp.time)
      return true
    }
  }

  package func released(
    _ request: RequestKey, _ key: EmailKey, at now: Timestamp
  ) async throws(StoreFailure) -> [ReleasedRegistration] {
    // what an account in doubt may be released as is not there yet, and is not missed: it is looked up first
    try await look { concern, _ in
      concern.keys.contains(key)
    } _: { (connection) throws(SQLiteFailure) in
      try ReleasedRow.find(connection, request, key, now)
    }
  }

  package func confirm(_ id: AccountID, at time: Timestamp?) async throws(StoreFailure) -> Bool {
    try await change(Concern(id), for: .daemon, evenIfLate: true) { (connection, _) throws(SQLiteFailure) in
      // what is as it should be already needs no commit
      try connection.run(
        """
        UPDATE account SET confirmed_at = ?2
        WHERE id = ?1 AND CASE WHEN ?2 IS NULL THEN confirmed_at IS NOT NULL ELSE ifnull(confirmed_at < ?2, TRUE) END
        """, [id.description, time?.rfc3339])
      return try AccountRow.exists(connection, id)
    }
  }

  package func replaceHash(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    // the hash records what the authority has said, whether or not a caller still waits
    try await change(Concern(id), for: stamp.by.share, evenIfLate: true) {
      (connection, changes) throws(SQLiteFailure) in
      try connection.run(
        """
        UPDATE account SET password_hash = ?3, updated_at = max(updated_at, ?4), confirmed_at = ?4
        WHERE id = ?1 AND password_hash = ?2
        """,
        [id.description, old.phc, new.phc, stamp.time.rfc3339])
      guard connection.changes == 1, let account = try AccountRow.find(connection, id)?.account else { return false }
      try changes.note(.rehashed, account, stamp)
      return true
    }
  }
}
