package import Registration
internal import Synchronization

/// How the parts behind regd are doing, by what became of the last thing that was asked of them. A part that begins to
/// fail, or recovers, is an event.
package final class Health: Sendable {
  package enum Part: String, Sendable, CaseIterable {
    case store, network
  }

  package struct Condition: Equatable, Sendable {
    /// What was wrong with the last answer; nil where nothing was.
    package var failure: String?
    /// Since when.
    package var since: Timestamp
  }

  private let conditions: Mutex<[Part: Condition]>
  private let feed: EventFeed
  private let time: any TimeSource

  /// - Parameter feed: Is told when a part begins to fail, and when it recovers.
  package init(feed: EventFeed, time: any TimeSource) {
    self.feed = feed
    self.time = time
    let now = time.now()
    conditions = Mutex([.store: Condition(since: now), .network: Condition(since: now)])
  }

  package subscript(part: Part) -> Condition {
    conditions.withLock { $0[part] } ?? Condition(since: Timestamp(microseconds: 0))
  }

  /// Notes what became of something that was asked of a part.
  ///
  /// - Parameter failure: What was wrong, for an operator; nil where nothing was.
  package func note(_ part: Part, _ failure: String?) {
    let isChanged = conditions.withLock { conditions in
      let wasFailing = conditions[part]?.failure != nil
      if wasFailing != (failure != nil) {
        conditions[part] = Condition(failure: failure, since: time.now())
        return true
      }
      conditions[part]?.failure = failure
      return false
    }
    guard isChanged else { return }
    let name = "\(part.rawValue).\(failure == nil ? "recovered" : "failed")"
    feed.publish(Event(name, at: time.now(), message: failure))
  }
}
