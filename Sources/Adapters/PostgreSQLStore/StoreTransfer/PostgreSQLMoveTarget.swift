package import Registration

/// A database that a move fills with the data of another store.
package final class PostgreSQLMoveTarget: MoveTarget {
  private let connection: Connection
  /// Identifies this program. If two programs continue the same move, only the later one's steps are accepted.
  private let runner = AccountID(at: Timestamp(microseconds: 0)).description

  /// Connects to the server, and changes nothing.
  ///
  /// - Parameters:
  ///   - url: In the form of `store.postgresql.url`.
  ///   - connectLimit: The time limit for connecting.
  ///   - answerLimit: The time limit for one answer.
  package init(
    _ url: String, connectLimit: Duration = .seconds(5), answerLimit: Duration = .seconds(60)
  ) throws(MoveFailure) {
    guard let address = ServerAddress(url) else {
      throw .refused("the target \(ServerAddress.unreadable)")
    }
    let connector = Connector(
      address: address, durability: .local, connectLimit: connectLimit, answerLimit: answerLimit,
      damage: DamageLog { _ in })
    do throws(ServerFailure) { connection = try connector.connect() } catch { throw Self.failure(error) }
  }

  package func begin(_ move: String, _ keys: StoreKeys) throws(MoveFailure) -> MoveProgress {
    do throws(ServerFailure) {
      if try !MoveMark.isThere(connection) { _ = try Schema().migrate(connection) { _ in } }
    } catch {
      throw Self.failure(error)
    }
    return try perform { connection throws(ServerFailure) in
      // if two programs begin at once, the second one waits here and then finds the first one's table
      _ = try Installation.locked(connection)
      if try MoveMark.isThere(connection) {
        let progress = try Self.progress(connection, of: move)
        try connection.run("UPDATE moved_into SET ready = NULL, runner = $1", [.text(runner)])
        return progress
      }
      for table in Self.tables {
        guard try connection.run("SELECT 1 FROM \(table) LIMIT 1").isEmpty else {
          throw .unfit(
            "the database already has accounts or an audit; a move needs an empty one: choose another database, or a separate schema"
          )
        }
      }
      try MoveMark.begin(connection, move, runner)
      try CodeKeyColumn.replace(connection, by: keys.codes)
      try StampKeyRow.replace(connection, by: keys.stamps)
      try note(connection, .beginning)
      return .beginning
    }
  }

  package func add(_ units: [MovedUnit], _ progress: MoveProgress) throws(MoveFailure) {
    do throws(MoveFailure) {
      try perform { connection throws(ServerFailure) in
        // an audit entry is added only once, so it never has to be replaced
        try MovedRows.remove(connection, units.map(\.key).filter { $0.strand != .audit })
        try MovedRows.insert(connection, units)
        try note(connection, progress)
      }
    } catch {
      throw named(units, error)
    }
  }

  package func replace(
    _ keys: [MoveKey], by units: [MovedUnit], _ progress: MoveProgress
  ) throws(MoveFailure) -> [MovedUnit] {
    do throws(MoveFailure) {
      return try perform { connection throws(ServerFailure) in
        let holders = try MovedRows.holders(connection, of: units)
        let gone = try MovedRows.units(connection, Array(Set(keys + holders)))
        try MovedRows.remove(connection, gone.map(\.key))
        try MovedRows.insert(connection, units)
        try eraseOrigins(connection, of: gone.map(\.key).filter { $0.strand == .auditAddresses })
        try note(connection, progress)
        return gone
      }
    } catch {
      throw named(units, error)
    }
  }

  /// Erases the origins of entries whose addresses are gone.
  private func eraseOrigins(_ connection: Connection, of keys: [MoveKey]) throws(ServerFailure) {
    guard !keys.isEmpty else { return }
    try connection.run(
      """
      UPDATE audit SET origin = NULL WHERE number = ANY ($1::bigint[]) AND origin IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM audit_address WHERE audit_address.number = audit.number)
      """, [.array(keys.map(\.text))])
  }

  package func units(_ keys: [MoveKey]) throws(MoveFailure) -> [MovedUnit] {
    do throws(ServerFailure) { return try MovedRows.units(connection, keys) } catch { throw Self.failure(error) }
  }

  package func page(_ page: MovePage, limit: Int) throws(MoveFailure) -> [MovedUnit] {
    do throws(ServerFailure) { return try MovedRows.page(connection, page, limit: limit) } catch {
      throw Self.failure(error)
    }
  }

  package func complete(for hold: String) throws(MoveFailure) {
    try perform { connection throws(ServerFailure) in
      try MoveMark.adoptNumbers(connection)
      let answer = try connection.answer(
        Statement("UPDATE moved_into SET ready = $1 WHERE runner = $2", [.text(hold), .text(runner)]))
      try Self.requireOurs(answer)
    }
  }

  package func arrive(_ move: String) throws(MoveFailure) {
    try perform { connection throws(ServerFailure) in
      guard try MoveMark.isThere(connection) else { return }
      _ = try Self.progress(connection, of: move)
      try MoveMark.adoptNumbers(connection)
      try MoveMark.end(connection)
    }
  }

  package func abandon(_ move: String) throws(MoveFailure) {
    try perform { connection throws(ServerFailure) in
      guard try MoveMark.isThere(connection) else {
        guard try Schema().state(connection) != .empty else { return }
        for table in Self.tables where try !connection.run("SELECT 1 FROM \(table) LIMIT 1").isEmpty {
          throw .unfit("no move into this database is in progress; it was left unchanged")
        }
        return
      }
      _ = try Self.progress(connection, of: move)
      // the server refuses to truncate a table to which another one refers, unless both are named
      try connection.run("TRUNCATE \(Self.tables.joined(separator: ", ")) RESTART IDENTITY")
      try connection.run("UPDATE numbering SET last = 0")
      // the source continues to use the copied keys, so this database gets others
      try CodeKeyColumn.replace(connection, by: .random())
      try connection.run("DELETE FROM stamp_key")
      try MoveMark.end(connection)
    }
  }

  // MARK: -

  /// The tables that must be empty for a move to begin. Triggers fill `account_group` from the copied accounts.
  private static let tables = MovedTable.allCases.map(\.rawValue) + ["entry_without_number", "account_group"]

  private static func progress(_ connection: Connection, of move: String) throws(ServerFailure) -> MoveProgress {
    guard let row = try connection.run("SELECT move, position, copying, after, audited FROM moved_into").first else {
      throw .unfit("the row of the move is missing")
    }
    guard row.text(0) == move else {
      throw .unfit("another move into this database is in progress; choose another database, or a separate schema")
    }
    return MoveProgress(
      position: row.integer(1), copying: row.optional(2).flatMap { MoveStrand(rawValue: $0) }, after: row.text(3),
      audited: row.integer(4))
  }

  private func note(_ connection: Connection, _ progress: MoveProgress) throws(ServerFailure) {
    let answer = try connection.answer(
      Statement(
        "UPDATE moved_into SET position = $1, copying = $2, after = $3, audited = $4 WHERE runner = $5",
        [
          "\(progress.position)", .init(progress.copying?.rawValue), .text(progress.after), "\(progress.audited)",
          .text(runner),
        ]))
    try Self.requireOurs(answer)
  }

  private static func requireOurs(_ answer: Answer) throws(ServerFailure) {
    guard answer.changedRows == 1 else { throw .unfit("another regctl is continuing this move") }
  }

  private func perform<Value>(
    _ body: (Connection) throws(ServerFailure) -> Value
  ) throws(MoveFailure) -> Value {
    do throws(ServerFailure) {
      connection.begin()
      let value = try body(connection)
      try connection.run("COMMIT")
      return value
    } catch {
      // if the rollback fails, the end of the session undoes the transaction
      try? connection.rollBack()
      throw Self.failure(error)
    }
  }

  /// Finds the unit that the server refuses, by trying each alone, and names it for the operator who must repair it.
  private func named(_ units: [MovedUnit], _ failure: MoveFailure) -> MoveFailure {
    guard case .refused = failure else { return failure }
    for unit in units {
      do throws(ServerFailure) {
        defer { try? connection.rollBack() }
        connection.begin()
        try MovedRows.remove(connection, [unit.key].filter { $0.strand != .audit })
        try MovedRows.insert(connection, [unit])
      } catch {
        guard error.kind == .refused, error.sqlState.hasPrefix("22") || error.sqlState.hasPrefix("23") else { break }
        return .refused(
          "\(unit.key) cannot be stored in PostgreSQL: \(error.detail); repair or delete it, then run the same command")
      }
    }
    return failure
  }

  private static func failure(_ failure: ServerFailure) -> MoveFailure {
    switch failure.kind {
    case .refused, .unfit: .refused("PostgreSQL: \(failure.detail)")
    case .disconnected, .unresolved, .deadline, .cancelled, .unfollowed, .wentBack:
      .unavailable("PostgreSQL: \(failure.detail)")
    }
  }
}
