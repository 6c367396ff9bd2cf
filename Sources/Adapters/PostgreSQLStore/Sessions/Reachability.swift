internal import Synchronization

/// Tracks whether the server can be reached, for all sessions. While it is unreachable, one session tries at a time and the
/// others fail at once, so that no caller repeats a vain wait.
final class Reachability: Sendable {
  private struct State {
    /// Why the server is unreachable, or nil if it is reachable.
    var away: ServerFailure?
    var next = ContinuousClock.now
    var isTrying = false
    var isAsking = false
    /// The index of the host to try next.
    var host = 0
    /// The host that accepted the last session, and its timeline if known. `era` counts how often either has changed.
    var reached: Int?
    var timeline: Int?
    var era = 0
    /// Whether regd has found that the server answers nothing (`doubt`). Otherwise the server, which accepts no new session, may
    /// still serve its existing ones.
    var isSilent = false

    /// Why no session may try to connect now, or nil if one may.
    var refusal: ServerFailure? { isTrying || next > .now ? away : nil }
  }

  private let state = Mutex(State())

  /// The pause between tries.
  private static let pause = Duration.milliseconds(250)

  /// Why an existing session cannot be used now, or nil if it can.
  var failure: ServerFailure? { state.withLock { $0.isSilent ? $0.away : nil } }

  /// Why an existing session of this era cannot be used now, or nil if it can.
  func failure(ofEra era: Int) -> ServerFailure? {
    state.withLock { state in
      if state.era != era { return .disconnected("another server has taken the place of the one that was asked") }
      guard state.isSilent, let away = state.away else { return nil }
      // ends the session, and leaves a commit in doubt, whatever was wrong before: answers may still be on their way
      return ServerFailure(kind: .deadline, sqlState: "", message: away.message)
    }
  }

  /// Whether the server refuses new sessions, but may still serve the existing ones. A server that does not answer at all, whose
  /// address is not known, or that must not be used, refuses nothing, and closing a session makes no room there.
  var isShut: Bool {
    state.withLock { state in
      guard let away = state.away, !state.isSilent else { return false }
      return ![.deadline, .unresolved, .unfollowed, .wentBack].contains(away.kind)
    }
  }

  /// Lets the next session try without a pause, because the server has a free slot again.
  func tryNow() { state.withLock { $0.next = .now } }

  /// - Throws: The reason of the outage, if another session is trying, or if the pause is not over.
  func requireTryable() throws(ServerFailure) {
    if let failure = state.withLock(\.refusal) { throw failure }
  }

  /// Begins a try.
  ///
  /// - Returns: The host to try.
  /// - Throws: As `requireTryable`.
  func beginTry() throws(ServerFailure) -> Int {
    try state.withLock { (state) throws(ServerFailure) in
      if let failure = state.refusal { throw failure }
      state.isTrying = state.away != nil
      return state.host
    }
  }

  /// - Parameter timeline: The server's timeline, or nil if it was not asked for. Behind one host, as of a proxy or of an address
  ///   that moves, only the timeline shows that a promoted server has taken the place of another one.
  /// - Returns: The era of the accepted session.
  @discardableResult
  func succeeded(on host: Int, _ timeline: Int? = nil) -> Int {
    state.withLock { state in
      (state.away, state.isTrying, state.isSilent) = (nil, false, false)
      let isOtherHost = state.reached.map { $0 != host } ?? false
      let isOtherTimeline = timeline != nil && state.timeline != nil && timeline != state.timeline
      if isOtherHost || isOtherTimeline { state.era += 1 }
      (state.host, state.reached, state.timeline) = (host, host, timeline ?? state.timeline)
      return state.era
    }
  }

  /// Ends the sessions of this era, because their server must not be used. The next session tries another host first.
  func leave(_ failure: ServerFailure, ofEra era: Int) {
    state.withLock { state in
      guard state.era == era else { return }
      state.era += 1
      (state.away, state.next) = (failure, .now)
      state.host += 1
    }
  }

  /// Records that a try was given up before any host had answered. The next session may try.
  func leftTry() { state.withLock { $0.isTrying = false } }

  /// Records that no host accepted a session.
  func failed(_ failure: ServerFailure) {
    state.withLock { state in
      (state.away, state.isTrying) = (failure, false)
      state.next = .now + Self.pause
    }
  }

  // MARK: Asking whether the server answers

  /// Begins to ask, because a session got no answer in time.
  ///
  /// - Returns: The host to ask first, or nil if the server is being asked, or is known to be silent.
  func beginAsking() -> Int? {
    state.withLock { state in
      guard !state.isAsking, !state.isSilent else { return nil }
      state.isAsking = true
      return state.host
    }
  }

  func endAsking() { state.withLock { $0.isAsking = false } }

  /// Records that the server answers nothing. The next session tries to connect at once. Until it succeeds, the others
  /// fail with `failure`, but without `isOfCommit`, because a COMMIT in doubt shows nothing about their own statements.
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
