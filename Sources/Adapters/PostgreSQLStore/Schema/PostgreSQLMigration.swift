package import Registration

/// The schema of a database, for an operator who wants to know before a regd starts on it.
package enum PostgreSQLMigration {
  /// Looks, and changes nothing.
  ///
  /// - Parameter url: As `store.postgresql.url`.
  package static func plan(_ url: String) throws(StoreFailure) -> MigrationPlan {
    try plan(url, Schema())
  }

  /// Brings it up to date, as a regd does that starts on it.
  ///
  /// - Returns: What was done, or was to be done when another program did it.
  package static func perform(_ url: String) throws(StoreFailure) -> MigrationPlan {
    try perform(url, Schema())
  }

  /// For tests, which have steps of their own.
  static func plan(_ url: String, _ schema: Schema) throws(StoreFailure) -> MigrationPlan {
    let connector = try connector(url)
    do throws(ServerFailure) {
      let version =
        switch try schema.state(try connector.connect()) {
        case .empty: 0
        case .older(let version): version
        case .fit: schema.version
        }
      return MigrationPlan(
        from: version, to: schema.version, statements: schema.steps.dropFirst(version).flatMap(\.statements))
    } catch {
      throw error.storeFailure
    }
  }

  static func perform(_ url: String, _ schema: Schema) throws(StoreFailure) -> MigrationPlan {
    let plan = try plan(url, schema)
    guard !plan.statements.isEmpty else { return plan }
    let connector = try connector(url)
    do throws(ServerFailure) { _ = try schema.migrate(try connector.patient.connect()) { _ in } } catch {
      throw error.storeFailure
    }
    return plan
  }

  private static func connector(_ url: String) throws(StoreFailure) -> Connector {
    guard let address = ServerAddress(url) else {
      throw .unavailable(detail: "it is no URL that libpq reads; right is one such as postgresql://user@host/database")
    }
    return Connector(
      address: address, durability: .local, connectLimit: .seconds(5), answerLimit: .seconds(60),
      damage: DamageLog { _ in })
  }
}
