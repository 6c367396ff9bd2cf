internal import Registration

extension Schema {
  /// Brings the database up to date. All steps are one transaction, so that of two concurrent starts the second finds
  /// them done. Then rewrites the file, which may be repeated. If a start is interrupted, the next one completes it.
  ///
  /// - Parameter doing: Called with a description before each long step, if the database is not new.
  static func migrate(
    _ connection: Connection, _ cryptography: any AuditCryptography,
    doing: @Sendable (_ what: String) -> Void = { _ in }
  ) throws(SQLiteFailure) {
    // opening must not wait for another program's lock if there is nothing to write
    let before = try connection.integer("PRAGMA user_version")
    guard before < migrations.count else { return }
    let isNew = before == 0
    if !isNew { doing("migrating its schema from version \(before) to \(migrations.count)") }
    if before < rewritten {
      // set before the transaction, because SQLite ignores this PRAGMA inside one
      try connection.execute("PRAGMA foreign_keys = OFF")
      connection.isNew = try connection.transaction { () throws(SQLiteFailure) in
        let version = try connection.integer("PRAGMA user_version")
        try run(connection, from: version, cryptography, doing: doing)
        let reached = version == 0 ? migrations.count : rewritten
        try connection.execute(
          "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(max(version, reached))")
        return (version == 0, version < rewritten)
      }
    }
    if !isNew { try rewrite(connection, doing) }
  }

  /// The last version but one. A database of this version lacks only the rewriting of its file.
  static let rewritten = migrations.count - 1

  /// The statements that bring a database of this version up to date.
  static func steps(from version: Int) -> [String] {
    let shape = migrations.dropFirst(version).filter { $0 != rewriting }
    return version >= migrations.count ? shape : shape + [rewriting]
  }

  /// Runs the transactional steps from this version on, and makes the key of codes if it does not exist. Also restores the
  /// triggers of a move in progress: they vanish with a table that is made anew, and without them the move would miss later
  /// changes.
  ///
  /// - Parameter doing: Called again and again during a long step.
  static func run(
    _ connection: Connection, from version: Int, _ cryptography: any AuditCryptography,
    doing: (_ what: String) -> Void = { _ in }
  ) throws(SQLiteFailure) {
    let triggers = try ChangeCapture.triggers(connection)
    for migration in migrations.dropFirst(version) where migration != rewriting {
      try connection.execute(migration)
      if migration == auditTree { try AuditTreeRow.fill(connection, cryptography, doing: doing) }
    }
    for trigger in try triggers.subtracting(ChangeCapture.triggers(connection)) { try connection.execute(trigger) }
    if version < migrations.count { try Installation.make(connection) }
  }

  /// Rewrites the file, best effort. regd also serves a database that could not be rewritten, and the next start tries again.
  private static func rewrite(
    _ connection: Connection, _ doing: @Sendable (_ what: String) -> Void
  ) throws(SQLiteFailure) {
    guard try connection.integer("PRAGMA user_version") < migrations.count else { return }
    let size = try connection.integer("PRAGMA page_count") * connection.integer("PRAGMA page_size")
    doing("rewriting it (\(size >> 20) MiB) to erase everything that was removed")
    do throws(SQLiteFailure) {
      try connection.withTemporaryFiles { () throws(SQLiteFailure) in try connection.execute(rewriting) }
      try connection.execute("PRAGMA user_version = \(migrations.count)")
      try connection.emptyLog()
    } catch {
      doing("it could not be rewritten (\(error.message)); the next start will try again")
    }
  }
}
