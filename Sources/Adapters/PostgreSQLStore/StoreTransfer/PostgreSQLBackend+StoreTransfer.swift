package import Registration

extension PostgreSQLBackend: MovableBackend {
  package func open(
    completedFor hold: String, _ context: StoreContext
  ) throws(StoreFailure) -> OpenStore {
    var schema = Schema()
    schema.hold = hold
    let store = try PostgreSQLStore(
      settings, schema: schema, claimant: context.claimant, damaged: context.damaged,
      observer: context.observer)
    return OpenStore(store, probes: store.probes, close: { await store.close() })
  }

  package func arrival(for hold: String) throws(StoreFailure) -> MoveArrival {
    try connected { (connection) throws(ServerFailure) in try MoveMark.arrival(connection, completedFor: hold) }
  }

  package func arrive(for hold: String) throws(StoreFailure) {
    try connected { (connection) throws(ServerFailure) in
      connection.begin()
      if try MoveMark.isThere(connection) {
        try MoveMark.require(connection, completedFor: hold)
        try MoveMark.end(connection)
      }
      try connection.run("COMMIT")
    }
  }

  private func connected<Value>(_ body: (Connection) throws(ServerFailure) -> Value) throws(StoreFailure) -> Value {
    guard let address = ServerAddress(settings.url) else {
      throw .unavailable(detail: "store.postgresql.url \(ServerAddress.unreadable)")
    }
    let connector = Connector(
      address: address, durability: .local, connectLimit: settings.connectLimit, answerLimit: settings.answerLimit,
      damage: DamageLog { _ in })
    do throws(ServerFailure) { return try body(try connector.connect()) } catch { throw error.storeFailure }
  }

  package func leave(
    for target: String, at time: Timestamp, after arrival: MoveArrival
  ) throws(StoreFailure) -> Bool {
    throw .unavailable(
      detail:
        "regd cannot move a store out of PostgreSQL while it runs; to switch to another database, promote a standby")
  }
}
