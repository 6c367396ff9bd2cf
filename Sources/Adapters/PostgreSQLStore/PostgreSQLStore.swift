package import Heartbeat
package import Registration
internal import Synchronization
internal import WorkerThreads

/// Accounts in a PostgreSQL database, which several regd may share. All is asked of the server that takes changes; each
/// commit is on its disk, and on a standby's where so configured, before it is acknowledged.
package struct PostgreSQLStore: TransactionalStore {
  private let changes: Sessions
  private let lookUps: Sessions
  private let lists: Sessions
  private let guesses: Sessions
  private let counts: GuessCount?
  private let pruning = Pruning()
  private let connector: Connector
  private let committing: Committing
  private let schema: Schema
  /// The regd that has opened it.
  let claimant: Claimant
  private let installation: Installation
  private let idleLimit: Duration
  package let codeKey: CodeKey
  let serverTime: Timestamp?

  /// How the store is opened.
  package struct Settings: Equatable, Sendable {
    /// As libpq reads it (its documentation, "Connection Strings"); has a password in it.
    package var url: String
    /// Whether a commit must be on a standby's disk, too.
    package var isReplicated = false
    /// 4 or more; one is for lists, one for counts of guesses, half of the others for changes.
    package var connections = 8
    /// How long connecting may take.
    package var connectLimit = Duration.seconds(1)
    /// How long one answer of the server may take.
    package var answerLimit = Duration.seconds(5)
    /// How long a connection is kept that nothing is asked on.
    package var idleLimit = Duration.seconds(30)
    /// The server's clock; nil for its own. For tests, whose time is not its.
    package var serverTime: Timestamp?

    package init(url: String) { self.url = url }
  }

  /// Connects, makes the tables where there are none, and brings the schema up to date.
  ///
  /// - Parameters:
  ///   - claimant: The regd that opens it.
  ///   - damaged: Called once for each row that cannot be read, on one of the store's threads; for the first 10 000 only.
  ///   - observer: Called with each change of this regd after its commit, in the order of the numbers.
  ///   - doing: Called in words with what takes long.
  package init(
    _ settings: Settings, claimant: Claimant = Claimant(), damaged: @escaping DamageObserver = { _ in },
    observer: @escaping AuditObserver = { _ in },
    doing: @Sendable (_ what: String) -> Void = { _ in }
  ) throws(StoreFailure) {
    try self.init(settings, schema: Schema(), claimant: claimant, damaged: damaged, observer: observer, doing: doing)
  }

  /// For tests too, which have steps of their own.
  init(
    _ settings: Settings, schema: Schema, claimant: Claimant = Claimant(), damaged: @escaping DamageObserver = { _ in },
    observer: @escaping AuditObserver = { _ in }, doing: @Sendable (_ what: String) -> Void = { _ in }
  ) throws(StoreFailure) {
    guard let address = ServerAddress(settings.url) else {
      throw .unavailable(detail: "store.postgresql.url is no connection URL that libpq reads")
    }
    var connector = Connector(
      address: address, durability: settings.isReplicated ? .replicated : .local, connectLimit: settings.connectLimit,
      answerLimit: settings.answerLimit, damage: DamageLog(damaged))
    let installation: Installation
    do throws(ServerFailure) {
      let connection = try connector.patient.connect()
      installation = try schema.migrate(connection, doing: doing)
      codeKey = try CodeKeyColumn.read(connection)
    } catch {
      throw error.storeFailure
    }
    self.installation = installation
    connector.installation = installation.id
    self.connector = connector
    idleLimit = settings.idleLimit
    self.schema = schema
    self.claimant = claimant
    serverTime = settings.serverTime
    committing = Committing(connector, schema, instance: claimant.name, observer: observer)
    let forLookUps = max(1, (settings.connections - 2) / 2)
    let guesses: Sessions
    do throws(WorkerThreads.StartFailure) {
      lists = try Sessions(1, connector, kind: "lists", thread: "regd-pg-l")
      lookUps = try Sessions(forLookUps, connector, kind: "look-ups", thread: "regd-pg-r")
      changes = try Sessions(
        max(1, settings.connections - 2 - forLookUps), connector, kind: "changes", thread: "regd-pg-w")
      guesses = try Sessions(1, connector, kind: "counts", thread: "regd-pg-g")
    } catch {
      throw .unavailable(detail: "no thread could be started (errno \(error.errorNumber))")
    }
    self.guesses = guesses
    counts = SharedThrottleKey(installation.guessKey).map { GuessCount($0, guesses) }
  }

  package var sharedThrottle: (any SharedThrottle)? { counts }

  /// Ends all sessions; every later operation fails.
  package func close() async {
    await lookUps.close()
    await lists.close()
    await guesses.close()
    await changes.close()
  }

  /// The threads of all sessions. All that they wait for has a deadline.
  package var pulses: [Pulse] { changes.pulses + lookUps.pulses + lists.pulses + guesses.pulses }

  /// Whether the server answers, is the one to write to, keeps commits as configured, and has the database that was opened.
  package func check() async throws(StoreFailure) {
    if !committing.board.open.isEmpty { try await settle() }
    try await lookUps.turn(of: .daemon) { (session) async throws(StoreFailure) in
      try await session.read { (connection) throws(ServerFailure) in
        try connector.durability.check(connection)
        guard let found = try Installation.find(connection), found.id == installation.id else {
          throw Installation.replaced
        }
        try schema.requireFit(found)
      }
    }
    if pruning.isDue() { await counts?.prune() }
    for sessions in [changes, lookUps, lists, guesses] { await sessions.rest(after: idleLimit) }
  }

  package func change<Value: Sendable>(
    _ concern: Concern, for share: Share, evenIfLate isLate: Bool,
    _ body: @Sendable (inout PostgreSQLTransaction) throws(ServerFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    let (claimant, codeKey) = (claimant, codeKey)
    return try await transact(concern, share, isLate) { (connection) throws(ServerFailure) in
      try committing.change(connection, concern) { (connection, changes) throws(ServerFailure) in
        var transaction = PostgreSQLTransaction(connection, claimant, codeKey)
        let value = try body(&transaction)
        changes = transaction.changes
        return value
      }
    }
  }

  /// Does `body` behind the lock that all changes take last.
  ///
  /// - Parameters:
  ///   - concern: The accounts and requests that it is about.
  /// - Parameter reads: Whose answers `body` decides on.
  func changeLocked<Value: Sendable>(
    _ concern: Concern, for share: Share, reading reads: [Statement],
    _ body: @Sendable (Connection, [Answer]) throws(ServerFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    try await transact(concern, share, false) { (connection) throws(ServerFailure) in
      try committing.changeLocked(connection, concern, reading: reads, body)
    }
  }

  private func transact<Value: Sendable>(
    _ concern: Concern, _ share: Share, _ isLate: Bool,
    _ transaction: @Sendable (Connection) throws(ServerFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    do throws(StoreFailure) {
      return try await changes.turn(of: share, evenIfLate: isLate) { (session) async throws(StoreFailure) in
        try await session.change(transaction)
      }
    } catch {
      // this one was not done; but it is about accounts whose last commit is in doubt
      guard case .unavailable(let detail) = error, committing.board.concerns(concern.overlaps) else { throw error }
      throw .unknown(detail: detail)
    }
  }

  private func settle() async throws(StoreFailure) {
    try await changes.turn(of: .daemon, evenIfLate: true) { (session) async throws(StoreFailure) in
      try await session.settle(committing)
    }
  }

  package func look<Value: Sendable>(
    _ concern: Concern, _ found: @Sendable (Value) -> Concern,
    _ body: @Sendable (inout PostgreSQLTransaction) throws(ServerFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    let seen: Value
    do throws(StoreFailure) {
      seen = try await read(lookUps, body)
    } catch {
      guard case .unavailable(let detail) = error, committing.board.concerns(concern.overlaps) else { throw error }
      throw .unknown(detail: detail)
    }
    guard !committing.board.open.isEmpty else { return seen }
    let about = found(seen)
    guard committing.board.concerns({ $0.overlaps(concern) || $0.overlaps(about) }) else { return seen }
    do {
      try await settle()
    } catch {
      guard case .unavailable(let detail) = error else { throw error }
      throw .unknown(detail: detail)
    }
    return try await read(lookUps, body)
  }

  private func read<Value: Sendable>(
    _ sessions: Sessions, _ body: @Sendable (inout PostgreSQLTransaction) throws(ServerFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    let (claimant, codeKey) = (claimant, codeKey)
    return try await sessions.turn(of: .daemon) { (session) async throws(StoreFailure) in
      try await session.read { (connection) throws(ServerFailure) in
        var transaction = PostgreSQLTransaction(connection, claimant, codeKey)
        return try body(&transaction)
      }
    }
  }

  package func list<Value: Sendable>(
    _ body: @Sendable (inout PostgreSQLTransaction) throws(ServerFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    if !committing.board.open.isEmpty { try await settle() }
    return try await read(lists, body)
  }
}

/// Once an hour.
private final class Pruning: Sendable {
  private let next = Mutex(ContinuousClock.now)

  func isDue() -> Bool {
    next.withLock { next in
      guard next <= .now else { return false }
      next = .now + .seconds(3600)
      return true
    }
  }
}

extension Connector {
  /// One that waits for another regd's migration.
  var patient: Connector {
    var patient = self
    patient.answerLimit = .seconds(86_400)
    return patient
  }
}
