internal import JSONRPC
package import Registration
internal import Synchronization

/// Something that has happened, as `events.happened` tells it.
package struct Event: Sendable {
  /// What programs switch on, as `account.registered` or `store.failed`.
  package let name: String
  package let time: Timestamp
  /// The entry of the audit, where it is about an account.
  package let entry: AuditEntry?
  /// The account that it is about, where it is no entry of the audit.
  package let account: Account?
  /// A sentence for an operator, where there is one.
  package let message: String?

  package init(_ name: String, at time: Timestamp, account: Account? = nil, message: String? = nil) {
    self.name = name
    self.time = time
    self.account = account
    self.message = message
    entry = nil
  }

  package init(_ entry: AuditEntry) {
    name = entry.change.rawValue
    time = entry.time
    self.entry = entry
    account = nil
    message = nil
  }
}

/// Tells what happens to all who have subscribed, each event under a number; who does not keep up is told how many it
/// has missed.
package final class EventFeed: Sendable {
  private struct Guarded {
    /// The number of the last event; from 1 at the daemon's start.
    var sequence = 0
    var subscribers: [ObjectIdentifier: Subscription] = [:]
  }

  /// Bytes of notifications that may wait for one subscriber: some hundred events.
  static let patience = 65_536

  private let guarded = Mutex(Guarded())

  package init() {}

  /// Tells an event; does not wait for anybody.
  package func publish(_ event: Event) {
    // under the lock, so that all are told in the order of the numbers
    guarded.withLock { guarded in
      guarded.sequence += 1
      for subscription in guarded.subscribers.values { subscription.offer(event, guarded.sequence) }
    }
  }

  package var subscribers: Int { guarded.withLock { $0.subscribers.count } }

  /// - Returns: The number of the last event that the session is not told of; of one that has subscribed already, as it
  ///   was then.
  func subscribe(_ session: Session) -> Int {
    session.attachment { SubscriptionOwner(self, Subscription(session)) }.begin
  }

  /// - Returns: The number of the last event that it is not told of.
  fileprivate func add(_ subscription: Subscription) -> Int {
    guarded.withLock { guarded in
      guarded.subscribers[ObjectIdentifier(subscription)] = subscription
      return guarded.sequence
    }
  }

  fileprivate func remove(_ subscription: Subscription) {
    let removed = guarded.withLock { $0.subscribers.removeValue(forKey: ObjectIdentifier(subscription)) }
    withExtendedLifetime(removed) {}
  }
}

/// Keeps a subscription for as long as its session keeps this.
final class SubscriptionOwner: Sendable {
  private let feed: EventFeed
  private let subscription: Subscription
  /// The number of the last event that was not told.
  let begin: Int

  fileprivate init(_ feed: EventFeed, _ subscription: Subscription) {
    self.feed = feed
    self.subscription = subscription
    subscription.begin()
    begin = feed.add(subscription)
  }

  deinit {
    subscription.end()
    feed.remove(subscription)
  }
}

/// One subscriber, and what it has missed.
private final class Subscription: Sendable {
  private struct Missed {
    var count = 0
    var last = 0
    var time = Timestamp(microseconds: 0)
  }

  private let session: Session
  private let missed = Mutex(Missed())

  init(_ session: Session) { self.session = session }

  func begin() { session.whenTaken { [weak self] in self?.tellMissed() } }

  func end() { session.whenTaken(nil) }

  func offer(_ event: Event, _ sequence: Int) {
    tellMissed()
    let isTold = missed.withLock { missed in
      if missed.count == 0, tell(event, sequence) { return true }
      missed.count += 1
      missed.last = sequence
      missed.time = event.time
      return false
    }
    // all that waited may have been taken meanwhile, and nobody would say it any more
    if !isTold { tellMissed() }
  }

  private func tell(_ event: Event, _ sequence: Int) -> Bool {
    session.notify("events.happened", unlessWaiting: EventFeed.patience) { Self.write(event, sequence, to: &$0) }
  }

  /// Says how many were missed, once there is room to say it.
  private func tellMissed() {
    missed.withLock { missed in
      guard missed.count > 0 else { return }
      let told = missed
      let isTold = session.notify("events.happened", unlessWaiting: EventFeed.patience / 2) { writer in
        writer.object { writer in
          writer.member("sequence", told.last)
          writer.member("event", "events.missed")
          writer.member("time", told.time.rfc3339)
          writer.member("missed", told.count)
        }
      }
      if isTold { missed.count = 0 }
    }
  }

  private static func write(_ event: Event, _ sequence: Int, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("sequence", sequence)
      writer.member("event", event.name)
      writer.member("time", event.time.rfc3339)
      if let entry = event.entry { EventReplies.writeMembers(of: entry, to: &writer) }
      if let account = event.account {
        writer.member("account", account.id.description)
        writer.member("email", account.email.typed)
      }
      if let message = event.message { writer.member("message", message) }
    }
  }
}
