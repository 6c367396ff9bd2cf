package import Registration

extension SQLiteBackend: MovableBackend {
  package func open(
    completedFor hold: String, _ context: StoreContext
  ) throws(StoreFailure) -> OpenStore {
    let store = try SQLiteStore(
      path: file, cryptography: context.cryptography, busyMilliseconds: lockMilliseconds,
      maximumBytes: maximumKiB.map { $0 * 1024 }, isReadOnly: isReadOnly, completedFor: hold,
      claimant: context.claimant, damaged: context.damaged,
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

/// Ends a move: makes its source a database that no regd opens any more.
package enum SQLiteLeaving {
  /// Marks a database as moved away if nothing in it has changed since the move caught up. Other programs may have it open.
  /// Their next change comes after the mark, and is refused.
  ///
  /// - Parameter busyMilliseconds: How long to wait for another program's lock.
  /// - Returns: Whether the database was marked. False if something has changed.
  static func leave(
    _ path: String, for target: String, at time: Timestamp, caughtUp: MoveArrival, busyMilliseconds: Int32
  ) throws(SQLiteFailure) -> Bool {
    let connection = try Connection(path: path, busyMilliseconds: busyMilliseconds)
    try connection.execute("PRAGMA synchronous = FULL")
    return try mark(connection, for: target, at: time, caughtUp)
  }

  private static func mark(
    _ connection: Connection, for target: String, at time: Timestamp, _ caughtUp: MoveArrival
  ) throws(SQLiteFailure) -> Bool {
    try connection.transaction { () throws(SQLiteFailure) in
      guard try ChangeCapture.move(connection) == caughtUp.move else {
        throw SQLiteFailure.notOurs("the move from it has ended, and changes are no longer recorded")
      }
      let changes = try ChangeCapture.changes(connection, after: caughtUp.position, limit: 1)
      let audit = try MovedRows.page(connection, MovePage(.audit, after: "\(caughtUp.audited)"), limit: 1)
      guard changes.isEmpty, audit.isEmpty else { return (false, false) }
      try MoveMark.leave(connection, for: target, at: time)
      return (true, true)
    }
  }

  /// Marks a database that no other program has open, if nothing in it has changed since the move caught up.
  ///
  /// - Returns: Whether the database was marked. False if something has changed.
  /// - Throws: `MoveFailure`, also if another program has the database open.
  package static func leaveUnused(
    _ path: String, for target: String, at time: Timestamp, caughtUp: MoveArrival
  ) throws(MoveFailure) -> Bool {
    do throws(SQLiteFailure) {
      let connection = try Connection(path: path, busyMilliseconds: 0)
      // set before the first access, so that this access succeeds only if no other connection is open
      // (sqlite.org/wal.html, "Use of WAL without shared-memory")
      try connection.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL")
      return try mark(connection, for: target, at: time, caughtUp)
    } catch {
      guard error.isBusy else { throw SQLiteMoveSource.failure(path, error) }
      throw .refused(
        "\(path) is open in another program, and regd could not be reached: give its socket with --socket, or stop that program"
      )
    }
  }
}
