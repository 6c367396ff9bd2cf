package import Registration

/// Plans or performs the migration of a database's schema, for an operator, before a regd opens the database.
package enum PostgreSQLSchemaMigration {
  /// The plan of the migration. Changes nothing.
  ///
  /// - Parameter url: In the form of `store.postgresql.url`.
  package static func plan(_ url: String) throws(StoreFailure) -> SchemaMigrationPlan {
    try plan(url, Schema())
  }

  /// Migrates the schema, as a regd does when it opens the database.
  ///
  /// - Returns: The plan. Another program may have carried it out first.
  package static func perform(_ url: String) throws(StoreFailure) -> SchemaMigrationPlan {
    try perform(url, Schema())
  }

  /// For tests, which pass a schema with other steps.
  static func plan(_ url: String, _ schema: Schema) throws(StoreFailure) -> SchemaMigrationPlan {
    let connector = try connector(url)
    do throws(ServerFailure) {
      let version =
        switch try schema.state(try connector.connect()) {
        case .empty: 0
        case .older(let version): version
        case .fit: schema.version
        }
      return SchemaMigrationPlan(
        from: version, to: schema.version, statements: schema.steps.dropFirst(version).flatMap(\.statements))
    } catch {
      throw error.storeFailure
    }
  }

  static func perform(_ url: String, _ schema: Schema) throws(StoreFailure) -> SchemaMigrationPlan {
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
      throw .unavailable(detail: "it \(ServerAddress.unreadable)")
    }
    return Connector(
      address: address, durability: .local, connectLimit: .seconds(5), answerLimit: .seconds(60),
      damage: DamageLog { _ in })
  }
}
