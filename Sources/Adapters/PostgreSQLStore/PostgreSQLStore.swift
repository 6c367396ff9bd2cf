package import Liveness
package import Registration
internal import Synchronization
internal import WorkerThreads

/// Keeps accounts in a PostgreSQL database, which several regd processes may share. Talks only to the primary, the
/// server that accepts writes. A change is acknowledged when its commit is on the primary's disk and, if so configured,
/// on a standby's.
package struct PostgreSQLStore: StoreEngine {
  let changes: Sessions
  let lookUps: Sessions
  let lists: Sessions
  let guesses: Sessions
  private let counts: GuessCount?
  private let pruning = Pruning()
  let connector: Connector
  let coordinator: CommitCoordinator
  let settling = SettleQueue()
  let sequencer: AuditSequencer
  /// Whether a session was asked to give numbers and has not begun yet.
  let isNumbering = Flag()
  private let schema: Schema
  /// The regd that has opened the store.
  let claimant: Claimant
  private let installation: Installation
  private let idleLimit: Duration
  package let keys: StoreKeys
  let serverTime: Timestamp?
  /// Whether the opening has created regd's tables.
  let isNew: Bool

  /// How the store is opened.
  package struct Settings: Equatable, Sendable {
    /// A connection string of libpq (its documentation, "Connection Strings"). Contains a password.
    package var url: String
    /// Whether a commit must also be on a standby's disk.
    package var isReplicated = false
    /// The most connections, 4 or more: one for lists and one for counts of guesses. Of the others, half are for
    /// look-ups and half for changes.
    package var connections = 20
    /// How long connecting may take.
    package var connectLimit = Duration.seconds(1)
    /// How long one answer of the server may take.
    package var answerLimit = Duration.seconds(5)
    /// How long an idle connection is kept.
    package var idleLimit = Duration.seconds(30)
    /// The time to use instead of the server's clock, for tests. Nil means the clock.
    package var serverTime: Timestamp?

    package init(url: String) { self.url = url }
  }

  /// Connects, makes the tables if they do not exist, and brings the schema up to date.
  ///
  /// - Parameters:
  ///   - claimant: The regd that opens the store.
  ///   - damaged: Called once for each row that cannot be read, on one of the store's threads. Only the first 10 000 rows are
  ///     reported.
  ///   - observer: Called with the audit entry of each change of this regd after its commit, in the order of the numbers.
  ///   - doing: Called with a description of each step that takes long.
  package init(
    _ settings: Settings, claimant: Claimant = Claimant(), damaged: @escaping DamageObserver = { _ in },
    observer: @escaping AuditObserver = { _ in },
    doing: @Sendable (_ what: String) -> Void = { _ in }
  ) throws(StoreFailure) {
    try self.init(settings, schema: Schema(), claimant: claimant, damaged: damaged, observer: observer, doing: doing)
  }

  /// Opens the store with this schema. Tests pass a schema with other migration steps.
  init(
    _ settings: Settings, schema: Schema, claimant: Claimant = Claimant(), damaged: @escaping DamageObserver = { _ in },
    observer: @escaping AuditObserver = { _ in }, doing: @Sendable (_ what: String) -> Void = { _ in }
  ) throws(StoreFailure) {
    do throws(ServerFailure) {
      try self.init(
        connecting: \.patient, settings, schema, claimant, damaged: damaged, observer: observer, doing: doing)
    } catch {
      throw error.storeFailure
    }
  }

  /// - Parameter patience: The copy of the connector with which to open the store.
  init(
    connecting patience: (Connector) -> Connector, _ settings: Settings, _ schema: Schema, _ claimant: Claimant,
    damaged: @escaping DamageObserver, observer: @escaping AuditObserver, doing: @Sendable (_ what: String) -> Void
  ) throws(ServerFailure) {
    guard let address = ServerAddress(settings.url) else {
      throw .unfit("store.postgresql.url \(ServerAddress.unreadable)")
    }
    var connector = Connector(
      address: address, durability: settings.isReplicated ? .replicated : .local, connectLimit: settings.connectLimit,
      answerLimit: settings.answerLimit, damage: DamageLog(damaged))
    let connection = try patience(connector).connect()
    (installation, isNew) = try schema.migrate(connection, doing: doing)
    try StampKeyRow.make(connection)
    keys = StoreKeys(codes: try CodeKeyColumn.read(connection), stamps: try StampKeyRow.read(connection))
    connector.opened = (installation.id, keys.stamps)
    idleLimit = settings.idleLimit
    self.schema = schema
    self.claimant = claimant
    serverTime = settings.serverTime
    let locks = Locks(installation, schema, keys.codes)
    let publisher = AuditPublisher { [past = connector.past] entry in
      past.note(entry)
      observer(entry)
    }
    sequencer = AuditSequencer(locks: locks, publisher: publisher, regd: claimant.name)
    coordinator = CommitCoordinator(locks, sequencer, connector.reachability)
    let forLookUps = max(1, (settings.connections - 2) / 2)
    let guesses: Sessions
    do throws(WorkerThreads.StartFailure) {
      connector.asking = try Asking()
      self.connector = connector
      lists = try Sessions(1, connector, kind: "lists", thread: "regd-pg-l")
      lookUps = try Sessions(forLookUps, connector, kind: "look-ups", thread: "regd-pg-r")
      changes = try Sessions(
        max(1, settings.connections - 2 - forLookUps), connector, kind: "changes", thread: "regd-pg-w")
      connector.waitsForDisk = false
      guesses = try Sessions(1, connector, kind: "counts", thread: "regd-pg-g")
    } catch {
      throw .unfit("no thread could be started (errno \(error.errorNumber))")
    }
    self.guesses = guesses
    counts = SharedThrottleKey(installation.guessKey).map { GuessCount($0, guesses) }
  }

  package var sharedThrottle: (any SharedThrottle)? { counts }

  /// Ends all sessions. Every later operation fails.
  package func close() async {
    for sessions in all { await sessions.close() }
  }

  /// The probes of all sessions' threads. Every wait of these threads has a deadline.
  package var probes: [Probe] { all.flatMap(\.probes) }

  /// All sessions, in the order of closing. Changes come before lists, because a session for lists numbers the audit
  /// entries that changes left without a number.
  var all: [Sessions] { [changes, lookUps, lists, guesses] }

  /// Checks that the server answers, makes commits as durable as configured, and still has the database that was opened.
  package func check() async throws(StoreFailure) {
    try await settle()
    if sequencer.publisher.isOwing { giveNumbers() }
    let isFull = try await turn(lookUps, of: .daemon) { (session) async throws(StoreFailure) in
      try await session.read { (connection) throws(ServerFailure) in
        let comparison = connector.past.comparison
        let answers = try connection.run([
          Durability.look, Installation.look, StampKeyRow.look, Connector.counting, comparison.statement,
        ])
        try connector.durability.check(answers[0])
        guard let found = answers[1].first.map(Installation.init), found.id == installation.id else {
          throw Installation.replaced
        }
        try schema.requireFit(found)
        try StampKeyRow.check(answers[2], stampKey)
        _ = try connector.past.check(answers[4], comparison)
        return answers[3].first?.text(0) == "t"
      }
    }
    if pruning.isDue() { await counts?.prune() }
    // if the server is full, all idle connections are closed, because another regd may find no free one
    for sessions in all { await sessions.rest(after: isFull ? .zero : idleLimit) }
  }
}

extension PostgreSQLStore: StoreContinuity {
  package var continuity: (any StoreContinuity)? { self }

  package var setback: StoreSetback? { connector.past.setback }

  package func accept() -> StoreSetback? {
    guard let setback = connector.past.accept() else { return nil }
    // the accepted database may lack them, and later entries would wait for them in vain
    sequencer.publisher.forgetAll()
    connector.reachability.tryNow()
    return setback
  }
}

/// Tells when the counts of guesses are due for pruning: once an hour.
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
  /// A copy that opens a store or migrates its schema. It allows a day for each answer, because a migration by this or
  /// another regd may take hours, and reads whole tables.
  var opening: Connector {
    var opening = self
    opening.answerLimit = .seconds(86_400)
    opening.plansByIndex = false
    return opening
  }

  /// A copy as `opening`, for a caller that does not repeat the attempt. It looks names up for as long as a resolver needs
  /// to try its second name server.
  var patient: Connector {
    var patient = opening
    patient.lookUpLimit = max(connectLimit, .seconds(15))
    return patient
  }
}
