internal import CPostgreSQL
internal import Linux
internal import Liveness
internal import Registration

/// A session with the server. Its calls block the thread, until their deadlines at the latest. Only one thread may call
/// at a time.
///
/// Statements are sent in pipeline mode: several that do not depend on one another cost one round trip. A statement is prepared
/// when the session sends it the second time, because the server needs longer to parse and plan it than to execute it.
final class Connection {
  private let handle: OpaquePointer
  private let notices: Notices
  /// The time limit for one answer.
  var limit: Duration
  /// How many rows were changed since the last BEGIN.
  private(set) var changedRows = 0
  /// The BEGIN, and statements whose answer no caller needs. They are sent with the next statements, which saves a round trip.
  private var later: [Statement] = []
  private var condition: Condition?
  /// The statements sent so far, by SQL: sent once, or prepared by the server under a name.
  private var known: [String: Preparation] = [:]
  private var names = 0
  var damage: DamageLog?
  /// The audit's observer has received all entries of this regd up to this number (`AuditPublisher`). The value is 0 if
  /// unknown.
  var told = 0
  /// Identifies the server that the session leads to (`Reachability.era`).
  var era = 0
  /// The callbacks of the session's probe. They are called during each wait for the server, to show
  /// that the thread is alive. Each wait has a deadline.
  var awaited = Awaited()

  /// Why the server is not worth waiting for any longer, or nil while it is. Asked during each wait for the server.
  var givesUp: @Sendable () -> ServerFailure? = { nil }

  /// How long closing the connection waits at most until the server has freed the connection's slot. Nil means not to wait.
  var waitForEnd: Duration?

  private var roundTrips = 0
  /// After this many round trips, the server plans the session's statements anew. It may have made their plans when the
  /// tables had so few rows that reading a whole table cost no more than using an index.
  static let roundTripsOfPlans = 256

  /// Up to this many statements share one deadline, because the server may keep their answers back, and send all of
  /// them at the end or when a buffer is full.
  private static let fewStatements = 8
  /// The most statements in `known`. The store has fewer. Bounded, because the server keeps their plans until the session ends.
  private static let mostKnown = 256
  /// A long wait is divided into steps of this length, so that `awaited` is answered, and `givesUp` is asked, after each.
  static let step = Duration.milliseconds(250)

  /// Takes over a connected handle.
  init(_ handle: OpaquePointer, limit: Duration) throws(ServerFailure) {
    self.handle = handle
    self.limit = limit
    notices = Notices(of: handle)
    guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else { throw lost() }
  }

  deinit {
    guard let waitForEnd else { return PQfinish(handle) }
    let socket = try? Descriptor(borrowing: PQsocket(handle)).duplicate().release()
    PQfinish(handle)
    guard let socket else { return }
    // The server's process closes its end of the socket when the session has ended. Only then is the slot free.
    let end = ContinuousClock.now + waitForEnd
    while !Polling.isReady(.ended(socket), atMost: Self.step), .now < end, givesUp() == nil { awaited.answer() }
    try? Descriptor(owning: socket).close()
  }

  /// Returns the warnings since the last call.
  func takeWarnings() -> [String] { notices.take() }

  /// Begins a transaction with the next statement.
  func begin() {
    changedRows = 0
    later = [Statement("BEGIN")]
  }

  /// Whether the transaction has changed rows, or has a statement in `later` that may change some.
  var hasChanged: Bool { changedRows > 0 || later.count > 1 || later.first.map { $0.sql != "BEGIN" } ?? false }

  /// A question that goes with a round trip, and a check of its answer.
  struct Condition: Sendable {
    let statement: Statement
    let check: @Sendable (Answer) throws(ServerFailure) -> Void

    init(_ statement: Statement, check: @escaping @Sendable (Answer) throws(ServerFailure) -> Void) {
      (self.statement, self.check) = (statement, check)
    }
  }

  /// Checks the condition at the end of the next round trip, which fails if the condition is not met. Nil means no check.
  func require(_ condition: Condition?) { self.condition = condition }

  /// Keeps the statement for the transaction's next round trip. If the statement fails, that round trip fails with its error.
  func runLater(_ sql: String, _ parameters: [Statement.Parameter]) { later.append(Statement(sql, parameters)) }

  /// - Returns: The statement's rows.
  @discardableResult
  func run(_ sql: String, _ parameters: [Statement.Parameter] = []) throws(ServerFailure) -> [Row] {
    try answer(Statement(sql, parameters)).rows
  }

  func answer(_ statement: Statement) throws(ServerFailure) -> Answer {
    guard let answer = try run([statement]).last else { throw .unfit("no answer to a statement") }
    return answer
  }

  /// Sends all statements at once. If the server refuses one, it skips the later ones. With more than `fewStatements`,
  /// each answer has the whole time limit.
  ///
  /// - Returns: One answer per statement.
  /// - Throws: The first failure.
  func run(_ statements: [Statement]) throws(ServerFailure) -> [Answer] {
    let (before, condition) = (later, condition)
    (later, self.condition) = ([], nil)
    try renewPlans()
    let all = before + statements + (condition.map { [$0.statement] } ?? [])
    let isLong = all.count > Self.fewStatements
    var preparing: Set<Int> = []
    for (index, statement) in all.enumerated() {
      if try prepareIfSent(statement) { preparing.insert(index) }
      try send(statement)
      if isLong, PQsendFlushRequest(handle) != 1 { throw lost() }
    }
    guard PQpipelineSync(handle) == 1 else { throw lost() }
    var answers: [Answer] = []
    var failure: ServerFailure?
    var deadline = ContinuousClock.now + limit
    for (index, statement) in all.enumerated() {
      if preparing.contains(index) {
        let preparation = try next(by: deadline)
        if preparation.status != PGRES_COMMAND_OK { known[statement.sql] = .sent }
        if preparation.status == PGRES_FATAL_ERROR, failure == nil { failure = preparation.failure }
      }
      let answer = try next(by: deadline)
      if isLong {
        awaited.answer()
        deadline = .now + limit
      }
      if answer.status == PGRES_FATAL_ERROR, failure == nil { failure = answer.failure }
      changedRows += answer.changedRows
      answers.append(answer)
    }
    guard try next(by: deadline).status == PGRES_PIPELINE_SYNC else { throw lost() }
    if let failure { throw failure }
    if let condition { try condition.check(answers.removeLast()) }
    return Array(answers.dropFirst(before.count))
  }

  private func renewPlans() throws(ServerFailure) {
    roundTrips += 1
    guard roundTrips > Self.roundTripsOfPlans, PQtransactionStatus(handle) == PQTRANS_IDLE else { return }
    roundTrips = 0
    _ = try run([Statement("DISCARD PLANS")])
  }

  /// Rolls the transaction back. If that fails, the caller must end the session, which undoes the transaction.
  func rollBack() throws(ServerFailure) {
    defer { changedRows = 0 }
    later = []
    guard PQtransactionStatus(handle) != PQTRANS_IDLE else { return }
    try run("ROLLBACK")
  }

  // MARK: Bytes

  private enum Preparation {
    case sent
    case prepared(String)

    var name: String? { if case .prepared(let name) = self { name } else { nil } }
  }

  /// Asks the server to prepare the statement if it was sent once before.
  ///
  /// - Returns: Whether the server was asked. If so, the answer to the preparation comes before the answer to the statement.
  private func prepareIfSent(_ statement: Statement) throws(ServerFailure) -> Bool {
    switch known[statement.sql] {
    case .prepared: return false
    case nil:
      if known.count < Self.mostKnown { known[statement.sql] = .sent }
      return false
    case .sent:
      names += 1
      let name = "s\(names)"
      guard PQsendPrepare(handle, name, statement.sql, 0, nil) == 1 else { throw lost() }
      known[statement.sql] = .prepared(name)
      return true
    }
  }

  private func send(_ statement: Statement) throws(ServerFailure) {
    let contents = statement.parameters.map(\.content)
    // one buffer can hold all parameters, because libpq copies them before the call returns
    var buffer: [UInt8] = []
    let places = contents.map { content -> Int? in
      guard let content else { return nil }
      defer { buffer += content }
      return buffer.count
    }
    let isSent = buffer.withUnsafeBytes { bytes in
      let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      // an empty buffer has no address, and a null pointer would mean NULL
      let values = places.map { place in place.map { start?.advanced(by: $0) ?? Self.empty } }
      let (count, lengths) = (Int32(values.count), contents.map { Int32($0?.count ?? 0) })
      let formats: [Int32] = statement.parameters.map { $0.isBinary ? 1 : 0 }
      guard let name = known[statement.sql]?.name else {
        return PQsendQueryParams(handle, statement.sql, count, nil, values, lengths, formats, 0) == 1
      }
      return PQsendQueryPrepared(handle, name, count, values, lengths, formats, 0) == 1
    }
    guard isSent else { throw lost() }
  }

  nonisolated(unsafe) private static let empty: UnsafePointer<CChar> = {
    let empty = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    empty.initialize(to: 0)
    return UnsafePointer(empty)
  }()

  /// Returns the next result that is not null.
  private func next(by deadline: ContinuousClock.Instant) throws(ServerFailure) -> Answer {
    // libpq returns a null result once after each statement
    for _ in 0..<3 {
      while true {
        let isUnsent = try flush()
        guard PQisBusy(handle) == 1 else { break }
        // a server whose answers are not read stops reading statements: so both are waited for (libpq's documentation,
        // "Asynchronous Command Processing")
        let socket = PQsocket(handle)
        try wait([.readable(socket)] + (isUnsent ? [.writable(socket)] : []), by: deadline)
        guard PQconsumeInput(handle) == 1 else { throw lost() }
      }
      if let result = PQgetResult(handle) {
        let answer = Answer(result)
        // after a failure that ends the session, the whole pipeline ends: no further answer comes
        if answer.status == PGRES_FATAL_ERROR, answer.failure.kind != .refused { throw answer.failure }
        return answer
      }
    }
    throw lost()
  }

  /// Sends as much as the socket takes.
  ///
  /// - Returns: Whether a part is still to be sent.
  private func flush() throws(ServerFailure) -> Bool {
    switch PQflush(handle) {
    case 0: return false
    case 1: return true
    default: throw lost()
    }
  }

  /// Waits for one of several events.
  private func wait(_ interests: [Polling.Interest], by deadline: ContinuousClock.Instant) throws(ServerFailure) {
    while true {
      let left = deadline - .now
      guard left > .zero else { throw .deadline(limit) }
      if Polling.wait(for: interests, atMost: min(left, Self.step)).contains(true) { return }
      if let failure = givesUp() { throw failure }
      awaited.answer()
    }
  }

  private func lost() -> ServerFailure { .unconnected(Self.report(handle)) }

  /// libpq's message, which may have several lines.
  static func report(_ handle: OpaquePointer?) -> String {
    PQerrorMessage(handle).map { String(cString: $0) } ?? ""
  }
}

extension Connection {
  /// Runs these statements and a COMMIT, all in one round trip.
  ///
  /// A commit with a warning counts as failed, because the warning means that the server stopped waiting for the
  /// standby ("committed locally, but might not have been replicated").
  ///
  /// - Returns: The statements' answers.
  /// - Throws: A failure with `isOfCommit` if the server may have committed.
  func commit(after statements: [Statement] = []) throws(ServerFailure) -> [Answer] {
    _ = takeWarnings()
    var answers: [Answer]
    do throws(ServerFailure) {
      answers = try run(statements + [Statement("COMMIT")])
    } catch {
      var failure = error
      failure.isOfCommit = true
      throw failure
    }
    let last = answers.removeLast().command
    guard last == "COMMIT" else { throw .unfit("the server has rolled back the transaction: \(last)") }
    let warnings = takeWarnings()
    guard warnings.isEmpty else {
      var failure = ServerFailure.disconnected(
        "the server has warned of the commit: \(warnings.joined(separator: "; "))")
      failure.isOfCommit = true
      throw failure
    }
    return answers
  }

  /// Runs `body` in a read-only transaction. All its look-ups see the database as of the first look-up.
  func asOfOneTime<Value>(_ body: () throws(ServerFailure) -> Value) throws(ServerFailure) -> Value {
    do throws(ServerFailure) {
      begin()
      try run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
      let value = try body()
      try rollBack()
      return value
    } catch {
      // if the rollback fails, its failure is thrown instead, so that the session ends
      if !error.endsSession { try rollBack() }
      throw error
    }
  }
}

/// Collects the server's warnings.
final class Notices {
  private var warnings: [String] = []

  init(of handle: OpaquePointer) {
    // the unretained pointer remains valid, because the connection keeps this object as long as the handle
    PQsetNoticeReceiver(
      handle,
      { context, result in
        guard let context else { return }
        let notices = Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue()
        guard Answer.field(result, pq_severity) == "WARNING" else { return }
        notices.warnings.append(Answer.field(result, pq_message))
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  func take() -> [String] {
    defer { warnings = [] }
    return warnings
  }
}
