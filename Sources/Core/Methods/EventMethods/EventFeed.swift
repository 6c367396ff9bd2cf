internal import Dialogues
internal import JSONRPC
package import Registration
internal import Synchronization
internal import Waiting

/// An event, as `events.happened` reports it.
package struct Event: Sendable {
  /// One of `EventName.all`, stable for programs.
  package let name: String
  package let time: Timestamp
  /// The audit entry, if the event is one.
  package let entry: AuditEntry?
  /// The account, if the event is about one and is not an audit entry.
  package let account: Account?
  /// The mail, if the event is about one.
  package let mail: MailNews?
  /// A sentence for an operator.
  package let message: String?

  package init(_ name: EventName, at time: Timestamp, account: Account? = nil, message: String? = nil) {
    self.name = name.rawValue
    self.time = time
    self.account = account
    self.message = message
    (entry, mail) = (nil, nil)
  }

  /// An event about a mail. Only `mail.wanted` contains the mail's text.
  package init(_ name: EventName, at time: Timestamp, mail: MailNews, message: String? = nil) {
    self.name = name.rawValue
    self.time = time
    self.mail = mail
    self.message = message
    (entry, account) = (nil, nil)
  }

  /// The access class that a subscriber needs to get the event.
  fileprivate var access: Access { mail?.wanted == nil ? .observe : .admin }

  package init(_ entry: AuditEntry) {
    name = entry.change.rawValue
    time = entry.time
    self.entry = entry
    (account, mail, message) = (nil, nil, nil)
  }
}

/// The parts of a mail that an event contains.
package struct MailNews: Sendable {
  let id: MailID
  let to: EmailAddress
  let kind: MailKind
  /// The whole mail, or nil if its text is not part of the event.
  let wanted: Mail?

  package init(_ mail: MailIntent) {
    (id, to, kind) = (mail.id, mail.to, mail.kind)
    wanted = nil
  }

  /// An event that contains the mail's text, for the subscriber that has to send the mail.
  package init(wanted mail: Mail) {
    (id, to, kind) = (mail.id, mail.to, mail.kind)
    wanted = mail
  }
}

/// Sends events to all subscribers, each with a sequence number. A subscriber that is too slow receives the number of
/// events that it has missed.
///
/// `publish` only numbers an event and queues it, because it is called between a commit and its answer. One worker
/// takes the events in order, encodes each at most twice (with and without addresses), and offers it to the subscribers
/// outside all locks.
package final class EventFeed: Sendable {
  /// The numbers of the last event. They start at 1 when the daemon starts. Observers have separate numbers, which do
  /// not count events that only administrators see. A gap therefore always means missed events.
  fileprivate struct Last {
    private(set) var ofAdministrators = 0
    private var ofObservers = 0

    mutating func count(_ event: Event) {
      ofAdministrators += 1
      if event.access == .observe { ofObservers += 1 }
    }

    func number(for access: Access) -> Int { access == .admin ? ofAdministrators : ofObservers }
  }

  private struct Queued {
    /// Nil for events that were dropped because too many waited.
    let event: Event?
    /// The numbers before the event, or before the first of the dropped events.
    let before: Last
    var last: Last
    var time: Timestamp
    /// Called with the number of subscribers that get the event.
    let delivered: (@Sendable (Int) -> Void)?
  }

  private struct Guarded {
    var last = Last()
    /// Each with the number of the last event before the subscription.
    var subscribers: [ObjectIdentifier: (subscription: Subscription, since: Int)] = [:]
    var queue: [Queued] = []
    var isDelivering = false
  }

  /// The most bytes of notifications that wait for one subscriber: some hundred events.
  static let maximumWaitingBytes = 65_536

  /// The most events that wait to be encoded. Later ones count as missed for every subscriber.
  package static let mostWaiting = 8192

  private let guarded = Mutex(Guarded())
  private let submit: @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

  /// - Parameter submit: Runs the given work, on a thread that may compute for long. The default runs it at once.
  package init(submit: @escaping @Sendable (_ work: @escaping @Sendable () -> Void) -> Void = { $0() }) {
    self.submit = submit
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
    let (isDropped, begins) = guarded.withLock { guarded in
      let before = guarded.last
      guarded.last.count(event)
      let isDropped = guarded.queue.count >= Self.mostWaiting
      if isDropped, let end = guarded.queue.indices.last, guarded.queue[end].event == nil {
        guarded.queue[end].last = guarded.last
        guarded.queue[end].time = event.time
      } else {
        guarded.queue.append(
          Queued(
            event: isDropped ? nil : event, before: before, last: guarded.last, time: event.time,
            delivered: isDropped ? nil : delivered))
      }
      defer { guarded.isDelivering = true }
      return (isDropped, !guarded.isDelivering)
    }
    if isDropped { delivered?(0) }
    if begins { submit { self.deliverQueued() } }
  }

  /// Delivers until the queue is empty. Only one call runs at a time, so that every subscriber gets the events in order.
  private func deliverQueued() {
    while true {
      let (batch, subscribers) = guarded.withLock { guarded in
        var batch: [Queued] = []
        swap(&batch, &guarded.queue)
        guarded.isDelivering = !batch.isEmpty
        return (batch, batch.isEmpty ? [] : Array(guarded.subscribers.values))
      }
      guard !batch.isEmpty else { return }
      for queued in batch { Self.offer(queued, to: subscribers) }
    }
  }

  private static func offer(_ queued: Queued, to subscribers: [(subscription: Subscription, since: Int)]) {
    var texts = EventTexts(queued.event, queued.last)
    var count = 0
    for (subscription, since) in subscribers where queued.last.ofAdministrators > since {
      if queued.event == nil {
        subscription.miss(from: queued.before, to: queued.last, at: queued.time)
      } else if subscription.offer(&texts, queued.last) {
        count += 1
      }
    }
    queued.delivered?(count)
  }

  package var subscribers: Int { guarded.withLock { $0.subscribers.count } }

  /// Subscribes a session until it ends or unsubscribes. A second subscription is a no-op.
  ///
  /// - Returns: The number of the last event before the subscription.
  func subscribe(_ session: Session) -> Int {
    session.attachment { SubscriptionOwner(self, Subscription(session)) }.begin
  }

  /// - Returns: The number of the last event before the subscription.
  fileprivate func add(_ subscription: Subscription) -> Int {
    guarded.withLock { guarded in
      guarded.subscribers[ObjectIdentifier(subscription)] = (subscription, guarded.last.ofAdministrators)
      return guarded.last.number(for: subscription.session.access)
    }
  }

  fileprivate func remove(_ subscription: Subscription) {
    let removed = guarded.withLock { $0.subscribers.removeValue(forKey: ObjectIdentifier(subscription)) }
    withExtendedLifetime(removed) {}
  }
}

/// The notification of one event, encoded once for administrators and once for observers, when the first of them needs it.
private struct EventTexts {
  let event: Event?
  private let last: EventFeed.Last
  private var ofAdministrators: [UInt8]?
  private var ofObservers: [UInt8]?

  init(_ event: Event?, _ last: EventFeed.Last) { (self.event, self.last) = (event, last) }

  mutating func text(for access: Access) -> [UInt8] {
    if let made = access == .admin ? ofAdministrators : ofObservers { return made }
    let text = Session.text("events.happened") { writer in
      guard let event else { return writer.object { _ in } }
      event.write(sequence: last.number(for: access), withAddresses: access == .admin, to: &writer)
    }
    if access == .admin { ofAdministrators = text } else { ofObservers = text }
    return text
  }
}

/// Owns a session's subscription, and ends it when the session releases this object.
final class SubscriptionOwner: Sendable {
  private let feed: EventFeed
  private let subscription: Subscription
  /// The number of the last event before the subscription.
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

/// One subscriber, and the count of events that it has missed.
private final class Subscription: Sendable {
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

  /// - Returns: Whether the subscriber gets the event.
  func offer(_ texts: inout EventTexts, _ last: EventFeed.Last) -> Bool {
    // asks for every event, because a reload may have revoked the caller's right
    let access = session.access
    guard let event = texts.event, access >= event.access else { return false }
    tellMissed()
    // encodes before the lock is taken, and nothing for a subscriber that has no room
    let text = session.waitingBytes < EventFeed.maximumWaitingBytes ? texts.text(for: access) : nil
    let isTold = missed.withLock { missed in
      guard !missed.isOver, missed.count == 0, let text else { return false }
      return session.send(text, unlessWaiting: EventFeed.maximumWaitingBytes)
    }
    if !isTold { miss(1, last.number(for: access), event.time) }
    return isTold
  }

  /// Counts the events between these numbers as missed.
  func miss(from before: EventFeed.Last, to last: EventFeed.Last, at time: Timestamp) {
    let access = session.access
    let count = last.number(for: access) - before.number(for: access)
    guard access >= .observe, count > 0 else { return }
    miss(count, last.number(for: access), time)
  }

  private func miss(_ count: Int, _ last: Int, _ time: Timestamp) {
    missed.withLock { missed in
      missed.count += count
      missed.last = last
      missed.time = time
    }
    // The client may have taken all waiting bytes in the meantime. In that case, `whenTaken` is not called again to
    // send the count.
    tellMissed()
  }

  /// Sends the number of missed events, once there is room for it.
  private func tellMissed() {
    missed.withLock { missed in
      guard missed.count > 0, !missed.isOver else { return }
      let told = missed
      let isTold = session.notify("events.happened", unlessWaiting: EventFeed.maximumWaitingBytes / 2) { writer in
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

extension Event {
  fileprivate func write(sequence: Int, withAddresses hasAddresses: Bool, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("sequence", sequence)
      writer.member("event", name)
      writer.member("time", time.rfc3339)
      if let entry { EventReplies.writeMembers(of: entry, withAddresses: hasAddresses, to: &writer) }
      if let account {
        writer.member("account", account.id.description)
        if hasAddresses { writer.member("email", account.email.typed) }
      }
      if let mail { mail.write(withAddresses: hasAddresses, to: &writer) }
      // hidden from observers, because a mail system's words may quote an address
      let quotesMailSystem = mail != nil || name == EventName.mailFailed.rawValue
      if let message, hasAddresses || !quotesMailSystem { writer.member("message", message) }
    }
  }
}

extension MailNews {
  fileprivate func write(withAddresses hasAddresses: Bool, to writer: inout JSONWriter) {
    writer.member("id", id.description)
    if hasAddresses { writer.member("to", to.typed) }
    writer.member("kind", kind.rawValue)
    guard let wanted else { return }
    writer.member("from", wanted.from)
    if !wanted.fromName.isEmpty { writer.member("fromName", wanted.fromName) }
    writer.member("subject", wanted.subject)
    writer.member("body", wanted.body)
    writer.member("language", wanted.language)
  }
}
