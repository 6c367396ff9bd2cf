internal import Synchronization

/// Whether the server can be reached, as all sessions together know it: while it is away, one session tries at a time, and
/// the others fail at once, so that no caller waits for what another one has just waited for in vain.
final class Reachability: Sendable {
  private struct State {
    /// Why it is away; nil as long as it is there.
    var away: ServerFailure?
    var next = ContinuousClock.now
    var isTrying = false
    /// Which of the hosts is tried next.
    var host = 0
    /// The host that has let a session in last, and how often that was another one than before.
    var reached: Int?
    var era = 0
    /// Whether it has begun with a session that had no answer. Else the server, which lets no further one in, may be there for
    /// those that it has.
    var isSilent = false
  }

  private let state = Mutex(State())

  /// Between tries.
  private static let pause = Duration.milliseconds(250)

  /// Why nothing can be asked now on a session that there is; nil while the server is there.
  var failure: ServerFailure? { state.withLock { $0.isSilent ? $0.away : nil } }

  /// Which server it is, of those that took each other's place: a session from an earlier one is of no use any more.
  var era: Int { state.withLock { $0.era } }

  /// Begins a try.
  ///
  /// - Returns: The host to try.
  /// - Throws: Why the server is away, if it is another session's turn to try, or too early.
  func beginTry() throws(ServerFailure) -> Int {
    try state.withLock { (state) throws(ServerFailure) in
      if let away = state.away {
        guard !state.isTrying, state.next <= .now else { throw away }
        state.isTrying = true
      }
      return state.host
    }
  }

  /// - Returns: The era of the session that was let in.
  func succeeded(on host: Int) -> Int {
    state.withLock { state in
      (state.away, state.isTrying, state.isSilent) = (nil, false, false)
      if let reached = state.reached, reached != host { state.era += 1 }
      (state.host, state.reached) = (host, host)
      return state.era
    }
  }

  /// No host has let a session in.
  func failed(_ failure: ServerFailure) {
    state.withLock { state in
      (state.away, state.isTrying) = (failure, false)
      state.next = .now + Self.pause
    }
  }

  /// A session has had no answer in time: the next one finds out at once, and the others wait for what it finds. They hear of
  /// the server alone: that the answer would have been to a COMMIT says nothing of what they ask.
  func doubt(_ failure: ServerFailure) {
    var failure = failure
    failure.isOfCommit = false
    state.withLock { state in
      state.isSilent = true
      guard state.away == nil else { return }
      state.away = failure
      state.next = .now
      state.host += 1
    }
  }
}
