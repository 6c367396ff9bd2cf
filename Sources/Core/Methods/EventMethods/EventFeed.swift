internal import AsyncPrimitives
internal import JSONRPC
internal import Registration
internal import Synchronization

/// Sends events to all subscribers, each with a sequence number. A subscriber that is too slow receives the number of
/// events that it has missed.
///
/// `publish` only numbers an event and queues it, because it is called between a commit and its answer. Without
/// subscribers, it only numbers the event. One worker takes the events in order, encodes each at most twice (with and
/// without addresses), and offers them to the subscribers, all outside the lock that `publish` takes.
package final class EventFeed: Sendable {
  private struct Guarded {
    var last = EventNumbers()
    /// Each with the numbers of the last event before the subscription. The worker takes the dictionary without a copy.
    var subscribers: [ObjectIdentifier: (subscription: Subscription, since: EventNumbers)] = [:]
    var queue: [QueuedEvent] = []
    var isDelivering = false

    /// - Returns: Whether the event was queued, and whether the worker must begin.
    mutating func add(_ event: Event, _ delivered: (@Sendable (Int) -> Void)?) -> (isQueued: Bool, begins: Bool) {
      let before = last
      last.count(event)
      // a later subscriber gets only later events
      guard !subscribers.isEmpty else { return (false, false) }
      guard queue.count >= EventFeed.mostWaiting else {
        queue.append(QueuedEvent(event: event, before: before, last: last, time: event.time, delivered: delivered))
        return (true, begin())
      }
      if let end = queue.indices.last, queue[end].event == nil {
        queue[end].last = last
        queue[end].time = event.time
      } else {
        queue.append(QueuedEvent(event: nil, before: before, last: last, time: event.time, delivered: nil))
      }
      return (false, begin())
    }

    /// Queues a call after all events that wait now.
    ///
    /// - Returns: False if no event waits for a subscriber. Then the call is not queued.
    mutating func add(afterAll call: @escaping @Sendable () -> Void) -> Bool {
      guard isDelivering, !subscribers.isEmpty else { return false }
      queue.append(
        QueuedEvent(
          event: nil, before: last, last: last, time: Timestamp(microseconds: 0), delivered: { _ in call() }))
      return true
    }

    /// - Returns: Whether the worker must begin.
    private mutating func begin() -> Bool {
      defer { isDelivering = true }
      return !isDelivering
    }
  }

  /// The most bytes of notifications that wait for one subscriber: some hundred events.
  static let maximumWaitingBytes = 65_536

  /// The most events that wait to be encoded. Later ones count as missed for every subscriber.
  package static let mostWaiting = 8192

  /// How many events the worker offers together: so few that a subscriber that reads has room for them, and takes them
  /// while the worker encodes the next ones.
  static let together = 64

  /// How long the worker rests after this many deliveries. A delivery gives one subscriber some events. More events
  /// gather during the rest, and cost regd and each subscriber only one more wake-up. So subscribers take little
  /// processor time from callers, however many subscribers there are.
  static func pause(after deliveries: Int) -> Duration {
    min(Duration.microseconds(200) * deliveries, Duration.milliseconds(20))
  }

  private let guarded = Mutex(Guarded())
  private let submit: @Sendable (_ work: @escaping @Sendable () -> Void) -> Void
  private let rest: @Sendable (Duration) -> Void

  /// - Parameters:
  ///   - submit: Runs the given work, on a thread that may compute and sleep for long. The default runs it at once.
  ///   - rest: Lets that thread sleep. The default returns at once.
  package init(
    submit: @escaping @Sendable (_ work: @escaping @Sendable () -> Void) -> Void = { $0() },
    rest: @escaping @Sendable (Duration) -> Void = { _ in }
  ) {
    (self.submit, self.rest) = (submit, rest)
  }

  /// Queues an event for all subscribers, and returns at once.
  package func publish(_ event: Event) { queue(event, nil) }

  /// Sends an event to all subscribers, without waiting for any to read it.
  ///
  /// - Returns: How many subscribers get the event. The others have too many waiting bytes, or may not see it.
  package func deliver(_ event: Event) async -> Int {
    let count = Promise<Int>()
    queue(event) { count.fulfill($0) }
    return await count.value()
  }

  private func queue(_ event: Event, _ delivered: (@Sendable (Int) -> Void)?) {
    let (isQueued, begins) = guarded.withLock { $0.add(event, delivered) }
    if !isQueued { delivered?(0) }
    if begins { submit { self.deliverQueued() } }
  }

  /// Returns when all earlier events were offered to the subscribers, but at the latest after this time. Called before
  /// connections close, so that each subscriber still gets the events that were published.
  package func flush(within limit: Duration) async {
    let offered = Promise<Void>()
    guard guarded.withLock({ $0.add(afterAll: { offered.fulfill(()) }) }) else { return }
    await withTaskGroup { group in
      group.addTask {
        try? await Task.sleep(for: limit)
        offered.fulfill(())
      }
      await offered.value()
      group.cancelAll()
    }
  }

  /// Delivers until the queue is empty. Only one call runs at a time, so that every subscriber gets the events in order.
  private func deliverQueued() {
    while true {
      let (queued, subscribers) = guarded.withLock { guarded in
        var queued: [QueuedEvent] = []
        swap(&queued, &guarded.queue)
        guarded.isDelivering = !queued.isEmpty
        return (queued, guarded.subscribers)
      }
      guard !queued.isEmpty else { return }
      var deliveries = 0
      for start in stride(from: 0, to: queued.count, by: Self.together) {
        var batch = EventBatch(queued[start..<min(start + Self.together, queued.count)])
        for (subscription, since) in subscribers.values {
          deliveries += subscription.offer(&batch, after: since) ? 1 : 0
        }
        batch.end()
      }
      if deliveries > 0 { rest(Self.pause(after: deliveries)) }
    }
  }

  package var subscribers: Int { guarded.withLock { $0.subscribers.count } }

  /// Subscribes a session until it ends or unsubscribes. A second subscription is a no-op.
  ///
  /// - Returns: The number of the last event before the subscription.
  func subscribe(_ session: Session) -> Int {
    session.attachment { SubscriptionOwner(self, Subscription(session)) }.begin
  }

  /// - Returns: The number of the last event before the subscription.
  func add(_ subscription: Subscription) -> Int {
    guarded.withLock { guarded in
      guarded.subscribers[ObjectIdentifier(subscription)] = (subscription, guarded.last)
      return guarded.last.number(for: subscription.session.access)
    }
  }

  func remove(_ subscription: Subscription) {
    let removed = guarded.withLock { $0.subscribers.removeValue(forKey: ObjectIdentifier(subscription)) }
    withExtendedLifetime(removed) {}
  }
}
