package import Registration

/// What registering and the outbox ask of the store about accounts that wait for the upstream.
extension SQLiteStore {
  package func resume(_ id: AccountID, seen: Timestamp, _ stamp: Stamp) async throws(StoreFailure) -> ResumeAnswer {
    try await change(Concern(id), for: stamp.by.share) { (connection, changes) throws(SQLiteFailure) in
      guard try !DeliveryRow.isClaimedElsewhere(connection, id, than: changes.claimant) else { return .claimed }
      try connection.run(
        "UPDATE account SET updated_at = max(updated_at, ?3) WHERE id = ?1 AND state = 'pending' AND updated_at = ?2",
        [id.description, seen.rfc3339, stamp.time.rfc3339])
      guard connection.changes == 1, let account = try AccountRow.find(connection, id)?.account else { return .gone }
      try DeliveryRow.claim(connection, id, changes.claimant)
      try changes.note(.resumed, account, stamp)
      return .resumed
    }
  }

  package func renew(_ id: AccountID, seen: Timestamp, for share: Share) async throws(StoreFailure) -> Bool {
    try await change(Concern(id), for: share) { (connection, changes) throws(SQLiteFailure) in
      guard try AccountRow.find(connection, pending: id, seen: seen) != nil,
        try !DeliveryRow.isClaimedElsewhere(connection, id, than: changes.claimant)
      else { return false }
      try DeliveryRow.claim(connection, id, changes.claimant)
      return true
    }
  }

  package func putOff(
    _ id: AccountID, seen: Timestamp, _ delivery: Delivery
  ) async throws(StoreFailure) -> Bool {
    // it records what has happened, also where regd is told to stop meanwhile
    try await change(Concern(id), for: .daemon, evenIfLate: true) { (connection, _) throws(SQLiteFailure) in
      guard try AccountRow.find(connection, pending: id, seen: seen) != nil else { return false }
      try DeliveryRow.putOff(connection, id, delivery)
      return true
    }
  }

  package func pending(after: AccountID?, limit: Int) async throws(StoreFailure) -> [PendingAccount] {
    let claimant = claimant
    return try await list { (connection) throws(SQLiteFailure) in
      try DeliveryRow.list(connection, after: after, limit: limit, claimant)
    }
  }

  package func find(pending id: AccountID) async throws(StoreFailure) -> PendingAccount? {
    let claimant = claimant
    return try await look { concern, _ in
      concern.ids.contains(id)
    } _: { (connection) throws(SQLiteFailure) in
      try DeliveryRow.find(connection, id, claimant)
    }
  }
}
