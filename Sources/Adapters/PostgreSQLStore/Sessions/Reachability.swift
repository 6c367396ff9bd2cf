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
  }

  private let state = Mutex(State())

  /// Between tries.
  private static let pause = Duration.milliseconds(250)

  /// Why nothing can be asked now; nil while the server is there.
  var failure: ServerFailure? { state.withLock { $0.away } }

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

  func succeeded(on host: Int) {
    state.withLock { state in
      (state.away, state.isTrying) = (nil, false)
      state.host = host
    }
  }

  /// No host has let a session in.
  func failed(_ failure: ServerFailure) {
    state.withLock { state in
      (state.away, state.isTrying) = (failure, false)
      state.next = .now + Self.pause
    }
  }

  /// A session has had no answer in time: the next one finds out at once, and the others wait for what it finds.
  func doubt(_ failure: ServerFailure) {
    state.withLock { state in
      guard state.away == nil else { return }
      state.away = failure
      state.next = .now
      state.host += 1
    }
  }
}
