package import Registration
internal import Synchronization

/// Runs each transaction on a session, when it is the turn of the caller's share.
extension PostgreSQLStore {
  package func write<Value: Sendable>(
    _ scope: ChangeScope, for share: Share, evenIfLate isLate: Bool, _ body: @escaping StoreBody<Value>
  ) async throws(StoreFailure) -> Value {
    try await change(scope, for: share, evenIfLate: isLate) { (rows) throws(ServerFailure) in try rows.run(body) }
  }

  func change<Value: Sendable>(
    _ scope: ChangeScope, for share: Share, evenIfLate isLate: Bool,
    _ body: @Sendable (PostgreSQLTransaction) throws(ServerFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    let answer = try await transact(scope, share, isLate) { (connection) throws(ServerFailure) in
      try coordinator.changeUnlessInDoubt(connection, scope) { (connection, changes) throws(ServerFailure) in
        let transaction = transaction(connection)
        let value = try body(transaction)
        changes = transaction.changes
        return value
      }
    }
    if answer.isOwing { giveNumbers() }
    return answer.value
  }

  private func transaction(_ connection: Connection) -> PostgreSQLTransaction {
    PostgreSQLTransaction(connection, claimant, codeKey, sequencer, serverTime: serverTime)
  }

  /// Starts the numbering of committed entries that have no number yet, and passes them to the observer. Returns at
  /// once.
  func giveNumbers() {
    guard isNumbering.raise() else { return }
    lists.soon(lowering: isNumbering) { [sequencer] (connection) throws(ServerFailure) in
      // Lists wait for the session meanwhile. The next `check` numbers the entries that then still have no number.
      try sequencer.tell(connection, isPatient: true)
    }
  }

  /// Returns when no change that had the request's lock at the call, in any regd, is still under way.
  package func awaitCommit(of request: RequestKey) async throws(StoreFailure) {
    let isFree = sequencer.locks.isFree(request)
    let hasEnded = try await Repeating.until(atMost: connector.patience) { () async throws(StoreFailure) in
      try await read(lookUps) { (rows) throws(ServerFailure) in
        try rows.connection.answer(isFree).first?.text(0) == "t"
      }
    }
    guard !hasEnded else { return }
    guard !Task.isCancelled else { throw .cancelled }
    throw .unavailable(detail: "a change about this request has not ended within \(connector.patience)")
  }

  private func transact<Value: Sendable>(
    _ scope: ChangeScope, _ share: Share, _ isLate: Bool,
    _ transaction: @Sendable (Connection) throws(ServerFailure) -> Value?
  ) async throws(StoreFailure) -> Value {
    do throws(StoreFailure) {
      while true {
        try await settle(scope.overlaps, for: share, evenIfLate: isLate)
        let value = try await turn(changes, of: share, at: scope.scopes, evenIfLate: isLate) {
          (session) async throws(StoreFailure) in try await session.change(evenIfLate: isLate, transaction)
        }
        // otherwise the commit of a change about the same things has got into doubt while this one waited
        if let value { return value }
      }
    } catch {
      // this change was not made, but the caller gets `unknown`, because an earlier commit about the same accounts is in doubt
      guard case .unavailable(let detail) = error, coordinator.inDoubt.concerns(scope.overlaps) else { throw error }
      throw .unknown(detail: detail)
    }
  }

  /// Returns when the selected changes that are in doubt now are settled. Waits for their transactions without a
  /// session.
  ///
  /// - Parameters:
  ///   - isMeant: Selects the changes by their scope.
  ///   - isLate: Whether to ignore cancellation.
  func settle(
    _ isMeant: (ChangeScope) -> Bool = { _ in true }, for share: Share = .current, evenIfLate isLate: Bool = false
  ) async throws(StoreFailure) {
    let doubts = coordinator.inDoubt.open.filter { isMeant($0.scope) }
    guard !doubts.isEmpty else { return }
    let isSettled = try await Repeating.until(atMost: connector.patience, evenIfLate: isLate) {
      () async throws(StoreFailure) in
      try await settling.turn(of: share, evenIfLate: isLate) { () async throws(StoreFailure) in
        try await turn(changes, of: .daemon, evenIfLate: isLate) { (session) async throws(StoreFailure) in
          try await session.settle(coordinator, evenIfLate: isLate)
        }
      }
      return !coordinator.inDoubt.has(anyOf: doubts)
    }
    guard !isSettled else { return }
    guard isLate || !Task.isCancelled else { throw .cancelled }
    throw .unavailable(
      detail: "a change whose commit has no answer is still under way after \(connector.patience)")
  }

  package func read<Value: Sendable>(
    _ scope: ChangeScope, _ found: @Sendable (Value) -> ChangeScope, _ body: StoreBody<Value>
  ) async throws(StoreFailure) -> Value {
    try await look(scope, found) { (rows) throws(ServerFailure) in try rows.run(body) }
  }

  func look<Value: Sendable>(
    _ scope: ChangeScope, _ found: @Sendable (Value) -> ChangeScope,
    _ body: @Sendable (PostgreSQLTransaction) throws(ServerFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    let seen: Value
    do throws(StoreFailure) {
      seen = try await read(lookUps, body)
    } catch {
      guard case .unavailable(let detail) = error, coordinator.inDoubt.concerns(scope.overlaps) else { throw error }
      throw .unknown(detail: detail)
    }
    guard !coordinator.inDoubt.open.isEmpty else { return seen }
    let about = found(seen)
    let isMeant = { @Sendable (doubt: ChangeScope) in doubt.overlaps(scope) || doubt.overlaps(about) }
    guard coordinator.inDoubt.concerns(isMeant) else { return seen }
    do {
      try await settle(isMeant)
    } catch {
      guard case .unavailable(let detail) = error else { throw error }
      throw .unknown(detail: detail)
    }
    return try await read(lookUps, body)
  }

  private func read<Value: Sendable>(
    _ sessions: Sessions, _ body: @Sendable (PostgreSQLTransaction) throws(ServerFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    try await turn(sessions, of: .current) { (session) async throws(StoreFailure) in
      try await session.read { (connection) throws(ServerFailure) in
        try body(transaction(connection))
      }
    }
  }

  package func scan<Value: Sendable>(_ body: StoreBody<Value>) async throws(StoreFailure) -> Value {
    try await list { (rows) throws(ServerFailure) in try rows.run(body) }
  }

  func list<Value: Sendable>(
    _ body: @Sendable (PostgreSQLTransaction) throws(ServerFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    try await settle()
    return try await read(lists, body)
  }

  /// Gives `body` a session when it is the share's turn. If the server accepts no new session, regd closes one of its idle
  /// sessions and tries again, and repeats this as long as the server is full. If the server refuses for another reason,
  /// such as a changed password, the other sessions remain.
  func turn<Value: Sendable>(
    _ sessions: Sessions, of share: Share, at scopes: Set<Int> = [], evenIfLate isLate: Bool = false,
    _ body: (Session) async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    var isRepeated = false
    while true {
      do throws(StoreFailure) {
        return try await sessions.turn(of: share, at: scopes, evenIfLate: isLate, body)
      } catch {
        guard case .unavailable = error, connector.reachability.isShut, await giveOneBack(ifFull: isRepeated) else {
          throw error
        }
        connector.reachability.tryNow()
        isRepeated = true
      }
    }
  }

  /// Closes the connection of one session that is not in use.
  ///
  /// - Returns: False if there is none.
  private func giveOneBack(ifFull isAsked: Bool) async -> Bool {
    for sessions in all { if await sessions.giveOneBack(ifFull: isAsked) { return true } }
    return false
  }
}

/// A flag that is raised when work is requested, and lowered when the work begins.
final class Flag: Sendable {
  private let isUp = Atomic(false)

  /// - Returns: Whether the flag was down before.
  func raise() -> Bool { !isUp.exchange(true, ordering: .acquiringAndReleasing) }

  func lower() { isUp.store(false, ordering: .releasing) }
}

/// Looks again and again, with growing pauses, until a change of another session has ended. Needs no session between
/// the looks, however long the wait takes. Waiting for a lock in the server would need a session all the time.
enum Repeating {
  private static let longestPause = Duration.milliseconds(100)

  /// - Parameters:
  ///   - limit: How long to look at most.
  ///   - isLate: Whether to ignore cancellation.
  ///   - hasEnded: Looks once.
  /// - Returns: Whether it has ended in time. False also if the task was cancelled, unless `isLate`.
  static func until<Failure: Error>(
    atMost limit: Duration, evenIfLate isLate: Bool = false, _ hasEnded: () async throws(Failure) -> Bool
  ) async throws(Failure) -> Bool {
    let deadline = ContinuousClock.now + limit
    var pause = Duration.milliseconds(1)
    while try await !hasEnded() {
      guard .now < deadline, isLate || !Task.isCancelled else { return false }
      await Self.pause(pause, isLate)
      pause = min(pause * 2, longestPause)
    }
    return true
  }

  private static func pause(_ pause: Duration, _ isLate: Bool) async {
    guard isLate else {
      try? await Task.sleep(for: pause)
      return
    }
    // a separate task is not cancelled with the caller's
    await Task { try? await Task.sleep(for: pause) }.value
  }
}
