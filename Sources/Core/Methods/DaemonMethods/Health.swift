package import Registration
internal import Synchronization

/// How the parts behind regd are doing, by what became of the last thing that was asked of them. A part that begins to
/// fail, or recovers, is an event.
package final class Health: Sendable {
  package enum Part: String, Sendable, CaseIterable {
    case store, network
  }

  /// What is asked of a part. That a full disk can still be read does not mean that the store is well.
  package enum Kind: Sendable, CaseIterable {
    case reading, writing
    /// Whether it is what it was when regd was started; nobody's request asks that.
    case checking
  }

  package struct Condition: Equatable, Sendable {
    /// What was wrong with the last answer; nil where nothing was.
    package var failure: String?
    /// Since when it is well, or is not.
    package var since: Timestamp
  }

  private struct State {
    var failures: [Kind: String] = [:]
    var since: Timestamp
  }

  private let states: Mutex<[Part: State]>
  private let feed: EventFeed
  private let time: any TimeSource

  /// - Parameter feed: Is told when a part begins to fail, and when it recovers.
  package init(feed: EventFeed, time: any TimeSource) {
    self.feed = feed
    self.time = time
    let now = time.now()
    states = Mutex(Dictionary(uniqueKeysWithValues: Part.allCases.map { ($0, State(since: now)) }))
  }

  package subscript(part: Part) -> Condition {
    states.withLock { states in
      let state = states[part] ?? State(since: Timestamp(microseconds: 0))
      return Condition(
        failure: state.failures[.checking] ?? state.failures[.writing] ?? state.failures[.reading], since: state.since)
    }
  }

  /// Notes what became of something that was asked of a part.
  ///
  /// - Parameter failure: What was wrong, for an operator; nil where nothing was.
  package func note(_ part: Part, _ kind: Kind, _ failure: String?) {
    states.withLock { states in
      guard var state = states[part] else { return }
      let wasFailing = !state.failures.isEmpty
      guard wasFailing || failure != nil else { return }
      state.failures[kind] = failure
      let isFailing = !state.failures.isEmpty
      defer { states[part] = state }
      guard wasFailing != isFailing else { return }
      state.since = time.now()
      // under the lock, so that it is told in the order in which it happened
      let name = "\(part.rawValue).\(isFailing ? "failed" : "recovered")"
      feed.publish(Event(name, at: state.since, message: failure))
    }
  }
}
