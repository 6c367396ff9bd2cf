package import Reasons
package import Registration
internal import Synchronization

/// Tells whether the store, the network and the mail system work, judged by the last operation of each kind. A part that begins
/// to fail, or recovers, raises an event.
package final class Health: Sendable {
  package enum Part: String, Sendable, CaseIterable {
    case store, network, mail

    fileprivate func event(isFailing: Bool) -> EventName {
      switch self {
      case .store: isFailing ? .storeFailed : .storeRecovered
      case .network: isFailing ? .networkFailed : .networkRecovered
      case .mail: isFailing ? .mailFailed : .mailRecovered
      }
    }
  }

  /// A kind of operation. Each kind is judged separately, because on a full disk reads succeed and writes fail.
  package enum Kind: Sendable, CaseIterable {
    case reading, writing
    /// regd's own periodic check of a part, for example that the store's database has not been replaced (`StoreWatch`).
    case checking
  }

  package struct Condition: Equatable, Sendable {
    /// Why the last operation failed, for an operator, or nil if it succeeded.
    package var failure: String?
    /// The same without words of another system, which may quote an address.
    package var plainFailure: String?
    /// When the part began to fail, or to work again.
    package var since: Timestamp
  }

  /// The moment at which a part began to fail or recovered.
  package struct Turn: Sendable {
    package let part: Part
    /// Why the first operation failed, for an operator, or nil if the part works again.
    package let failure: String?
    /// The error that the callers of the first failed operation got, or nil if the part works again.
    package let reason: ErrorReason?
    package let since: Timestamp
    /// For a part that has recovered: how long it had been failing, and in `failures` how many operations had failed.
    /// Zero for a part that begins to fail.
    package let lasted: Duration
    package let failures: Int
    /// Whether a reload has replaced the part (another upstream, for example), so that the turn is neither a failure
    /// nor a recovery.
    package fileprivate(set) var isForgotten = false
  }

  private struct State {
    var failures: [Kind: (whole: String, plain: String)] = [:]
    /// The number of operations that have failed since the part began to fail.
    var count = 0
    var since: Timestamp
  }

  private let states: Mutex<[Part: State]>
  private let feed: EventFeed
  private let time: any TimeSource
  private let observer: @Sendable (Turn) -> Void

  /// - Parameters:
  ///   - feed: Receives the events of parts that begin to fail or recover.
  ///   - observer: Receives each `Turn`, in order and on the thread that noted it. It must not block.
  package init(feed: EventFeed, time: any TimeSource, observer: @escaping @Sendable (Turn) -> Void = { _ in }) {
    self.observer = observer
    self.feed = feed
    self.time = time
    let now = time.now()
    states = Mutex(Dictionary(uniqueKeysWithValues: Part.allCases.map { ($0, State(since: now)) }))
  }

  package subscript(part: Part) -> Condition {
    states.withLock { states in
      let state = states[part] ?? State(since: Timestamp(microseconds: 0))
      let failure = state.failures[.checking] ?? state.failures[.writing] ?? state.failures[.reading]
      return Condition(failure: failure?.whole, plainFailure: failure?.plain, since: state.since)
    }
  }

  /// Records how an operation of a part ended.
  ///
  /// - Parameters:
  ///   - failure: Why the operation failed, for an operator, or nil if it succeeded.
  ///   - plain: The same text without words from another system, or nil if `failure` contains no such words.
  ///   - reason: The error that callers get for that failure.
  /// - Returns: Whether this operation makes the part fail or recover.
  @discardableResult
  package func note(
    _ part: Part, _ kind: Kind, _ failure: String?, plain: String? = nil, reason: ErrorReason? = nil
  ) -> Bool {
    states.withLock { states in
      guard var state = states[part] else { return false }
      let wasFailing = !state.failures.isEmpty
      guard wasFailing || failure != nil else { return false }
      state.failures[kind] = failure.map { ($0, plain ?? $0) }
      let isFailing = !state.failures.isEmpty
      if failure != nil { state.count += 1 }
      defer { states[part] = state }
      guard wasFailing != isFailing else { return false }
      let now = time.now()
      let lasted = isFailing ? .zero : Duration.microseconds(max(0, now.microseconds - state.since.microseconds))
      state.since = now
      // under the lock, so that events keep their order
      feed.publish(Event(part.event(isFailing: isFailing), at: state.since, message: failure))
      observer(
        Turn(
          part: part, failure: failure, reason: reason, since: now, lasted: lasted,
          failures: isFailing ? 0 : state.count))
      if !isFailing { state.count = 0 }
      return true
    }
  }

  /// Resets the state of a failing part that a reload has replaced. Raises no event, because nothing is known of the
  /// new part, but calls the observer.
  package func forget(_ part: Part) {
    states.withLock { states in
      guard let state = states[part], !state.failures.isEmpty else { return }
      let now = time.now()
      states[part] = State(since: now)
      var turn = Turn(part: part, failure: nil, reason: nil, since: now, lasted: .zero, failures: 0)
      turn.isForgotten = true
      observer(turn)
    }
  }
}
