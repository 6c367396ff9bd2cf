internal import Linux
internal import Liveness
internal import Registration
internal import WorkerThreads

/// Makes sessions: connects, sets each session up, and checks that the server is fit.
struct Connector: Sendable {
  let address: ServerAddress
  let durability: Durability
  /// The time limit for a connection, over all hosts.
  var connectLimit: Duration
  /// The time limit for the look-up of a host's name. Nil means the same as for connecting.
  var lookUpLimit: Duration?
  /// The time limit for one answer.
  var answerLimit: Duration
  /// How long a caller waits for the end of another change. Like the server's `lock_timeout`, shorter than the limit for an answer.
  var patience: Duration { answerLimit * 9 / 10 }
  /// Whether statements are planned for single rows, and not for whole tables (`SessionSettings`).
  var plansByIndex = true
  /// Whether a commit waits for the disk. False only for counts of guesses, which a crash may lose.
  var waitsForDisk = true
  let reachability = Reachability()
  /// What the sessions have seen of the database's history.
  let past = KnownPast()
  /// Asks whether the server answers when a session got no answer in time. Nil for a connection that no session uses.
  var asking: Asking?
  private let turn = Turn()
  let damage: DamageLog
  /// The id of the opened database (`Installation.id`) and its key of stamps, or nil before it is opened.
  var opened: (installation: String, stampKey: CodeKey)?

  /// A session that waits for its turn to connect gives up after this many times `connectLimit`.
  private static let mostBefore = 5

  /// Returns a session that is ready for statements.
  ///
  /// Sessions connect one after the other. If all sessions connected at once in a burst of callers, a busy server might
  /// accept none of them in time. While the server is unreachable, only one session tries to connect. The others do not
  /// wait for it, but fail.
  ///
  /// - Parameters:
  ///   - awaited: Answered while the session waits for its turn, for the connection or for an answer, to show that its
  ///     thread is alive.
  ///   - isLate: Whether the waits continue when the task is cancelled.
  func connect(
    _ awaited: Awaited = Awaited(), evenIfLate isLate: Bool = true
  ) throws(ServerFailure) -> Connection {
    try reachability.requireTryable()
    let limit = connectLimit * Self.mostBefore
    guard turn.begin(atMost: limit, awaited, evenIfLate: isLate) else {
      throw !isLate && Task.isCancelled ? .cancelled : .deadline(limit)
    }
    defer { turn.end() }
    let first = try reachability.beginTry()
    var failure: ServerFailure?
    for step in 0..<address.hostCount {
      do throws(ServerFailure) {
        let connection = try address.connect(
          first + step, within: connectLimit / address.hostCount, lookingUpWithin: lookUpLimit, answers: answerLimit,
          awaited,
          evenIfLate: isLate)
        connection.damage = damage
        connection.awaited = awaited
        connection.givesUp = { !isLate && Task.isCancelled ? .cancelled : nil }
        let timeline = try prepare(connection)
        connection.era = reachability.succeeded(on: (first + step) % address.hostCount, timeline)
        return connection
      } catch {
        guard error.kind != .cancelled else {
          // says nothing about the server
          reachability.leftTry()
          throw error
        }
        // if several hosts refuse, the first one's message is most likely the cause, unless one has an earlier state
        failure = error.kind == .wentBack ? error : failure ?? error
      }
    }
    let last = failure ?? .disconnected("there is no host to connect to")
    if let setback = last.setback { past.note(setback) }
    reachability.failed(last)
    throw last
  }

  /// Asks whether the server accepts no further session of this role: the role's or the server's limit is reached.
  static let counting = Statement(
    """
    SELECT count(*) FILTER (WHERE usename = current_user) >= (
        SELECT CASE WHEN rolconnlimit < 0 THEN 2147483647 ELSE rolconnlimit END FROM pg_roles WHERE rolname = current_user)
      OR count(*) >= current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
    FROM pg_stat_activity WHERE usename IS NOT NULL
    """)

  /// - Returns: The timeline of the server, or nil if it is not known.
  private func prepare(_ connection: Connection) throws(ServerFailure) -> Int? {
    let settings = SessionSettings.statements(answerLimit, plansByIndex: plansByIndex)
    let comparison = past.comparison
    let looks =
      [Durability.look] + (opened == nil ? [] : [Installation.look, StampKeyRow.look, comparison.statement])
    let answers = Array(try connection.run(settings + looks).dropFirst(settings.count))
    try durability.check(answers[0])
    guard let opened else { return nil }
    guard answers[1].first.map(Installation.init)?.id == opened.installation else { throw Installation.replaced }
    try StampKeyRow.check(answers[2], opened.stampKey)
    let timeline = try past.check(answers[3], comparison)
    _ = try connection.run(
      [AuditSequencer.unmarking] + (waitsForDisk ? [] : [Statement("SET synchronous_commit = off")]))
    return timeline
  }

  /// Connects to the hosts in turn until one answers. The statement waits for no lock.
  fileprivate func ask(from first: Int) {
    var failure: ServerFailure?
    for step in 0..<address.hostCount {
      do throws(ServerFailure) {
        let connection = try address.connect(
          first + step, within: connectLimit / address.hostCount, answers: answerLimit)
        try connection.run("SELECT 1")
        reachability.succeeded(on: (first + step) % address.hostCount)
        return
      } catch {
        // the host that was reached last is asked first
        failure = failure ?? error
      }
    }
    guard let failure else { return }
    // a refusal is also an answer: existing sessions may continue
    if failure.kind == .deadline { reachability.doubt(failure) } else { reachability.failed(failure) }
  }
}

/// Finds out, on a separate thread and connection, whether the server answers at all. A statement can take too long for
/// many reasons, such as a lock or a slow disk. That alone is not a reason to refuse other callers.
final class Asking: Sendable {
  private let thread: WorkerThreads

  init() throws(WorkerThreads.StartFailure) { thread = try WorkerThreads(name: "regd-pg-q", count: 1) }

  /// Asks the server soon, unless it is being asked already. Returns at once.
  func ask(_ connector: Connector) {
    let reachability = connector.reachability
    guard let first = reachability.beginAsking() else { return }
    thread.submit {
      defer { reachability.endAsking() }
      connector.ask(from: first)
    }
  }
}

/// The turn to connect, for one session at a time.
private final class Turn: Sendable {
  private let free = Semaphore()

  init() { end() }

  /// - Returns: Whether the turn came in time. If so, the caller must call `end`.
  func begin(atMost limit: Duration, _ awaited: Awaited, evenIfLate isLate: Bool) -> Bool {
    let deadline = ContinuousClock.now + limit
    while !free.wait(atMost: max(.zero, min(Connection.step, deadline - .now))) {
      guard .now < deadline, isLate || !Task.isCancelled else { return false }
      awaited.answer()
    }
    return true
  }

  func end() { free.signal() }
}
