internal import JSONRPC
internal import Registration
internal import Synchronization
internal import WireProtocols

/// Owns a session's subscription, and ends it when the session releases this object.
final class SubscriptionOwner: Sendable {
  private let feed: EventFeed
  private let subscription: Subscription
  /// The number of the last event before the subscription.
  let begin: Int

  init(_ feed: EventFeed, _ subscription: Subscription) {
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

/// One subscriber, and the count of events that it has missed.
final class Subscription: Sendable {
  private struct Missed {
    var count = 0
    var last = 0
    var time = Timestamp(microseconds: 0)
    /// Whether the session has unsubscribed. The feed's worker may still have the subscription.
    var isOver = false
  }

  let session: Session
  private let missed = Mutex(Missed())

  init(_ session: Session) { self.session = session }

  func begin() { session.whenTaken { [weak self] in self?.tellMissed() } }

  func end() {
    session.whenTaken(nil)
    missed.withLock { $0.isOver = true }
  }

  /// Whether the subscriber has room, and has the number of all events that it has missed.
  private var hasRoom: Bool {
    missed.withLock { !$0.isOver && $0.count == 0 } && session.waitingBytes < EventFeed.maximumWaitingBytes
  }

  /// Gives the subscriber the events for which it has room. The others count as missed.
  ///
  /// - Parameter begin: The numbers when the subscription began.
  /// - Returns: Whether the subscriber gets any of the events.
  func offer(_ batch: inout EventBatch, after begin: EventNumbers) -> Bool {
    // asks for every batch, because a reload may have revoked the caller's right
    let access = session.access
    guard access >= .observe else { return false }
    tellMissed()
    // encodes nothing for a subscriber that has no room
    guard hasRoom else {
      miss(batch, from: 0, access, begin)
      return false
    }
    let (places, texts, end) = batch.notifications(for: access, after: begin)
    let taken = missed.withLock { missed in
      // a session that has unsubscribed may have subscribed again, and then gets the events there
      missed.isOver ? 0 : session.send(all: texts, unlessWaiting: EventFeed.maximumWaitingBytes)
    }
    batch.count(places[..<taken])
    miss(batch, from: taken < places.count ? places[taken] : end, access, begin)
    return taken > 0
  }

  /// Counts the events from `place` on as missed.
  private func miss(_ batch: EventBatch, from place: Int, _ access: Access, _ begin: EventNumbers) {
    guard let events = batch.seen(from: place, by: access, after: begin) else { return }
    missed.withLock { missed in
      missed.count += events.count
      missed.last = events.last
      missed.time = events.time
    }
    // The client may have taken all waiting bytes in the meantime. In that case, `whenTaken` is not called again to
    // send the count.
    tellMissed()
  }

  /// Sends the number of missed events, once there is room for it.
  private func tellMissed() {
    missed.withLock { missed in
      let limit = EventFeed.maximumWaitingBytes / 2
      // asks for the room first, because a subscriber that does not read comes here for every batch
      guard missed.count > 0, !missed.isOver, session.waitingBytes < limit else { return }
      let told = missed
      let isTold = session.notify("events.happened", unlessWaiting: limit) { writer in
        writer.object { writer in
          writer.member("sequence", told.last)
          writer.member("event", EventName.missed.rawValue)
          writer.member("time", told.time.rfc3339)
          writer.member("missed", told.count)
        }
      }
      if isTold { missed.count = 0 }
    }
  }
}
