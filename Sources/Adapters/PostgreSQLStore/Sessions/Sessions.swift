internal import FairQueues
internal import Liveness
internal import Registration
internal import WorkerThreads

/// Sessions of one kind, and the queue for them.
struct Sessions: Sendable {
  private let sessions: [Session]
  private let semaphore: FairSemaphore<UInt32?, Origin?>
  private let kind: String

  /// This part of the sessions is reserved for users who have none. Otherwise a user whose statements wait in the
  /// server, for example for another program's lock, would occupy all sessions before another user comes.
  private static let partForOthers = 4

  init(_ count: Int, _ connector: Connector, kind: String, thread: String) throws(WorkerThreads.StartFailure) {
    var sessions: [Session] = []
    for number in 0..<count { sessions.append(try Session(connector, name: "\(thread)\(number)")) }
    self.sessions = sessions
    self.kind = kind
    semaphore = FairSemaphore(
      width: count, share: max(1, count / 2), reserve: count > 1 ? max(1, count / Self.partForOthers) : 0)
  }

  var probes: [Probe] {
    sessions.enumerated().map { number, session in session.probe("the store's \(kind), session \(number + 1)") }
  }

  /// How many callers wait for a session.
  var waiting: Int { semaphore.count }

  /// Closes the connections that were unused for this long. Does not wait for sessions in use.
  func rest(after idle: Duration) async {
    for session in sessions where session.isUnused(for: idle) { await session.rest(after: idle) }
  }

  /// Closes the connection of one session that is not in use.
  ///
  /// - Parameter isAsked: Whether to do so only if the server is full.
  /// - Returns: False if every session is in use.
  func giveOneBack(ifFull isAsked: Bool) async -> Bool {
    for session in sessions where session.isUnused(for: .zero) {
      if await session.giveBack(ifFull: isAsked) { return true }
    }
    return false
  }

  /// Runs `body` on the first session as soon as that session is free, ahead of the callers who wait for a session.
  func soon(lowering flag: Flag, _ body: @escaping @Sendable (Connection) throws(ServerFailure) -> Void) {
    sessions[0].soon(lowering: flag, body)
  }

  func close() async { for session in sessions { await session.close() } }

  /// Gives `body` a session when it is the share's turn and no other caller uses any of the scopes. A caller that waits
  /// for a scope here, and not for a lock of the server, needs no session during the wait.
  ///
  /// - Parameters:
  ///   - scopes: The numbers of the change's scope (`ChangeScope.scopes`).
  ///   - isLate: Whether to ignore cancellation.
  /// - Throws: `cancelled` if the task was cancelled before its turn. Also throws the failures of `body`.
  func turn<Value: Sendable>(
    of share: Share, at scopes: Set<Int> = [], evenIfLate isLate: Bool = false,
    _ body: (Session) async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    try await semaphore.turn(of: share.uid, share.origin, at: scopes, evenIfLate: isLate, orThrow: .cancelled) {
      (place) async throws(StoreFailure) in try await body(sessions[place])
    }
  }
}

extension ChangeScope {
  /// A number for each thing that a change is about. Changes with a number in common would wait for each other's locks
  /// in the server. Two things may have the same number. Then their changes wait for each other without need.
  ///
  /// Invitations have no number here, because changes that take different uses share the lock.
  var scopes: Set<Int> {
    var scopes: Set<Int> = []
    func add(_ things: Set<some Hashable>, _ kind: Int) {
      for thing in things {
        var hasher = Hasher()
        hasher.combine(kind)
        hasher.combine(thing)
        scopes.insert(hasher.finalize())
      }
    }
    add(ids, 0)
    add(keys, 1)
    add(claimKeys, 2)
    add(requests, 3)
    add(claims, 4)
    add(mails, 5)
    return scopes
  }
}
