package import Registration

extension PostgreSQLBackend: MovableBackend {
  package func open(
    completedFor hold: String, _ surroundings: StoreSurroundings
  ) throws(StoreFailure) -> OpenStore {
    var schema = Schema()
    schema.hold = hold
    let store = try PostgreSQLStore(
      settings, schema: schema, claimant: surroundings.claimant, damaged: surroundings.damaged,
      observer: surroundings.observer)
    return OpenStore(store, pulses: store.pulses, close: { await store.close() })
  }

  package func arrive(for hold: String) throws(StoreFailure) {
    guard let address = ServerAddress(settings.url) else { return }
    let connector = Connector(
      address: address, durability: .local, connectLimit: settings.connectLimit, answerLimit: settings.answerLimit,
      damage: DamageLog { _ in })
    do throws(ServerFailure) {
      let connection = try connector.connect()
      connection.begin()
      if try MoveMark.isThere(connection) {
        try MoveMark.require(connection, completedFor: hold)
        try MoveMark.end(connection)
      }
      try connection.run("COMMIT")
    } catch {
      throw error.storeFailure
    }
  }

  package func leave(for target: String, at time: Timestamp) throws(StoreFailure) {
    throw .unavailable(
      detail:
        "regd moves no store out of PostgreSQL while it runs: another database takes over by a standby's promotion")
  }
}
