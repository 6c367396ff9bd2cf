internal import FairSharing
internal import Heartbeat
internal import Registration
internal import WorkerThreads

/// Sessions of one kind, and the line for them.
struct Sessions: Sendable {
  private let sessions: [Session]
  private let line: FairLine<UInt32?, Origin?>
  private let kind: String

  init(_ count: Int, _ connector: Connector, kind: String, thread: String) throws(WorkerThreads.StartFailure) {
    var sessions: [Session] = []
    for number in 0..<count { sessions.append(try Session(connector, name: "\(thread)\(number)")) }
    self.sessions = sessions
    self.kind = kind
    line = FairLine(width: count)
  }

  var pulses: [Pulse] {
    sessions.enumerated().map { number, session in session.pulse("the store's \(kind), session \(number + 1)") }
  }

  /// How many wait for their turn.
  var waiting: Int { line.count }

  /// Gives back the connections that were not used for so long. Waits for no session that is in use.
  func rest(after idle: Duration) async {
    for session in sessions where session.isUnused(for: idle) { await session.rest(after: idle) }
  }

  func close() async { for session in sessions { await session.close() } }

  /// Gives `body` a session when it is the share's turn.
  ///
  /// - Parameter isLate: Whether it ignores cancellation.
  /// - Throws: `cancelled` where the task was cancelled before its turn.
  func turn<Value: Sendable>(
    of share: Share, evenIfLate isLate: Bool = false,
    _ body: (Session) async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    try await line.turn(of: share.uid, share.origin, evenIfLate: isLate, orThrow: .cancelled) {
      (place) async throws(StoreFailure) in try await body(sessions[place])
    }
  }
}
