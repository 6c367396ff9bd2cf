package import Registration

/// Plans or performs the migration of an existing database's schema, for an operator, before a regd opens the database.
package enum SQLiteSchemaMigration {
  /// The plan of the migration. Writes nothing.
  package static func plan(_ path: String) throws(StoreFailure) -> SchemaMigrationPlan {
    do throws(SQLiteFailure) {
      guard DatabasePlace(path, endings: [""]) != nil else {
        throw SQLiteFailure.notOurs("the file does not exist or cannot be read")
      }
      let connection = try Connection(path: path, busyMilliseconds: 5000, isReadOnly: true)
      try Schema.check(connection)
      let version = try connection.integer("PRAGMA user_version")
      return SchemaMigrationPlan(
        from: version, to: Schema.migrations.count, statements: Schema.steps(from: version))
    } catch {
      throw error.storeFailure
    }
  }

  /// Migrates the schema, as a regd does when it opens the database.
  ///
  /// - Returns: The plan. Another program may have carried it out first.
  package static func perform(_ path: String) throws(StoreFailure) -> SchemaMigrationPlan {
    let plan = try plan(path)
    guard !plan.statements.isEmpty else { return plan }
    do throws(SQLiteFailure) { _ = try SQLiteStore.open(path, 5000) } catch { throw error.storeFailure }
    guard try self.plan(path).statements.isEmpty else {
      throw .unavailable(
        detail:
          "its schema is up to date, but it could not be rewritten (VACUUM); that needs as much free space as the database has, also for temporary files. Free some space and try again"
      )
    }
    return plan
  }
}
