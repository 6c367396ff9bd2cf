package import Registration

/// What registering and the outbox ask of the store about accounts that wait for the upstream. The account's row is locked
/// before its claim is looked at.
extension PostgreSQLStore {
  package func resume(_ id: AccountID, seen: Timestamp, _ stamp: Stamp) async throws(StoreFailure) -> ResumeAnswer {
    let claimant = claimant
    return try await change(Concern(id), for: stamp.by.share) { (connection, changes) throws(ServerFailure) in
      guard let found = try AccountRow.lock(connection, id)?.account else { return .gone }
      guard try !DeliveryRow.isClaimedElsewhere(connection, id, than: claimant) else { return .claimed }
      guard found.state == .pending, found.updatedAt == seen else { return .gone }
      let resumed = try AccountRow.update(
        connection, id, set: "updated_at = greatest(updated_at, $2)", [.text(stamp.time.rfc3339)])
      guard let account = resumed?.account else { return .gone }
      _ = try connection.answer(DeliveryRow.claiming(id, claimant))
      changes.note(.resumed, account, stamp)
      return .resumed
    }
  }

  package func renew(_ id: AccountID, seen: Timestamp, for share: Share) async throws(StoreFailure) -> Bool {
    let claimant = claimant
    return try await change(Concern(id), for: share) { (connection, _) throws(ServerFailure) in
      guard try AccountRow.lock(connection, pending: id, seen: seen) != nil,
        try !DeliveryRow.isClaimedElsewhere(connection, id, than: claimant)
      else { return false }
      _ = try connection.answer(DeliveryRow.claiming(id, claimant))
      return true
    }
  }

  package func putOff(
    _ id: AccountID, seen: Timestamp, _ delivery: Delivery
  ) async throws(StoreFailure) -> Bool {
    // it records what has happened, also where regd is told to stop meanwhile
    try await change(Concern(id), for: .daemon, evenIfLate: true) { (connection, _) throws(ServerFailure) in
      guard try AccountRow.lock(connection, pending: id, seen: seen) != nil else { return false }
      try DeliveryRow.putOff(connection, id, delivery)
      return true
    }
  }

  package func pending(after: AccountID?, limit: Int) async throws(StoreFailure) -> [PendingAccount] {
    let claimant = claimant
    return try await list { (connection) throws(ServerFailure) in
      try DeliveryRow.list(connection, after: after, limit: limit, claimant)
    }
  }

  package func find(pending id: AccountID) async throws(StoreFailure) -> PendingAccount? {
    let claimant = claimant
    return try await look { concern, _ in
      concern.ids.contains(id)
    } _: { (connection) throws(ServerFailure) in
      try DeliveryRow.find(connection, id, claimant)
    }
  }
}
