package import Registration

extension SQLiteBackend: MovableBackend {
  package func open(
    completedFor hold: String, _ context: StoreContext
  ) throws(StoreFailure) -> OpenStore {
    let store = try SQLiteStore(
      path: file, busyMilliseconds: lockMilliseconds, maximumBytes: maximumKiB.map { $0 * 1024 },
      isReadOnly: isReadOnly, completedFor: hold, claimant: context.claimant, damaged: context.damaged,
      observer: context.observer)
    return OpenStore(store, probes: store.probes, close: { await store.close() })
  }

  package func arrival(for hold: String) throws(StoreFailure) -> MoveArrival {
    do throws(SQLiteFailure) {
      let connection = try Connection(path: file, busyMilliseconds: Self.shortWait)
      try Schema.check(connection, completedFor: hold)
      return try MoveMark.arrival(connection, completedFor: hold)
    } catch {
      throw error.storeFailure
    }
  }

  package func arrive(for hold: String) throws(StoreFailure) {
    do throws(SQLiteFailure) {
      let connection = try Connection(path: file, busyMilliseconds: Self.shortWait)
      try connection.execute("PRAGMA synchronous = FULL")
      try connection.transaction { () throws(SQLiteFailure) in
        guard try connection.integer("PRAGMA user_version") >= MoveMark.filling else { return ((), false) }
        try Schema.checkInTransaction(connection, completedFor: hold)
        try SQLiteMoveTarget.arrive(connection)
        return ((), true)
      }
    } catch {
      throw error.storeFailure
    }
  }

  package func leave(
    for target: String, at time: Timestamp, after arrival: MoveArrival
  ) throws(StoreFailure) -> Bool {
    do throws(SQLiteFailure) {
      return try SQLiteLeaving.leave(
        file, for: target, at: time, caughtUp: arrival, busyMilliseconds: Self.shortWait)
    } catch {
      throw error.storeFailure
    }
  }

  /// How many milliseconds to wait for a lock. The time is short, because callers wait meanwhile.
  private static let shortWait: Int32 = 200
}
