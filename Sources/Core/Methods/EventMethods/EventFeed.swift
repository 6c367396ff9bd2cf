internal import Dialogues
internal import JSONRPC
package import Registration
internal import Synchronization

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
  /// The whole mail; nil if its text is not part of the event.
  let wanted: Mail?

  package init(_ mail: MailIntent) {
    (id, to, kind) = (mail.id, mail.to, mail.kind)
    wanted = nil
  }

  /// News that contain the mail's text, for the subscriber that has to send the mail.
  package init(wanted mail: Mail) {
    (id, to, kind) = (mail.id, mail.to, mail.kind)
    wanted = mail
  }
}

/// Sends events to all subscribers, each with a sequence number. A subscriber that is too slow is told how many events it has
/// missed.
package final class EventFeed: Sendable {
  /// The numbers of the last event; they start at 1 when the daemon starts. Observers have numbers of their own, without
  /// those of events that only administrators see, so that a gap always means missed events.
  fileprivate struct Last {
    private var ofAdministrators = 0
    private var ofObservers = 0

    mutating func count(_ event: Event) {
      ofAdministrators += 1
      if event.access == .observe { ofObservers += 1 }
    }

    func number(for access: Access) -> Int { access == .admin ? ofAdministrators : ofObservers }
  }

  private struct Guarded {
    var last = Last()
    var subscribers: [ObjectIdentifier: Subscription] = [:]
  }

  /// The most bytes of notifications that wait for one subscriber: some hundred events.
  static let maximumWaitingBytes = 65_536

  private let guarded = Mutex(Guarded())

  package init() {}

  /// Sends an event to all subscribers, without waiting for any.
  ///
  /// - Returns: How many subscribers get it; the others have too many waiting bytes, or may not see it.
  @discardableResult
  package func publish(_ event: Event) -> Int {
    // under the lock, so that every subscriber gets the events in order
    guarded.withLock { guarded in
      guarded.last.count(event)
      let last = guarded.last
      return guarded.subscribers.values.reduce(0) { $0 + ($1.offer(event, last) ? 1 : 0) }
    }
  }

  package var subscribers: Int { guarded.withLock { $0.subscribers.count } }

  /// Subscribes a session until it ends or unsubscribes; a second subscription is a no-op.
  ///
  /// - Returns: The number of the last event before the subscription.
  func subscribe(_ session: Session) -> Int {
    session.attachment { SubscriptionOwner(self, Subscription(session)) }.begin
  }

  /// - Returns: The number of the last event before the subscription.
  fileprivate func add(_ subscription: Subscription) -> Int {
    guarded.withLock { guarded in
      guarded.subscribers[ObjectIdentifier(subscription)] = subscription
      return guarded.last.number(for: subscription.session.access)
    }
  }

  fileprivate func remove(_ subscription: Subscription) {
    let removed = guarded.withLock { $0.subscribers.removeValue(forKey: ObjectIdentifier(subscription)) }
    withExtendedLifetime(removed) {}
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
  }

  let session: Session
  private let missed = Mutex(Missed())

  init(_ session: Session) { self.session = session }

  func begin() { session.whenTaken { [weak self] in self?.tellMissed() } }

  func end() { session.whenTaken(nil) }

  /// - Returns: Whether the subscriber gets the event.
  func offer(_ event: Event, _ last: EventFeed.Last) -> Bool {
    // asks for every event, because a reload may have revoked the caller's right
    let access = session.access
    guard access >= event.access else { return false }
    let sequence = last.number(for: access)
    tellMissed()
    let isTold = missed.withLock { missed in
      if missed.count == 0, tell(event, sequence, withAddresses: access == .admin) { return true }
      missed.count += 1
      missed.last = sequence
      missed.time = event.time
      return false
    }
    // the client may have taken all waiting bytes meanwhile; then `whenTaken` is not called again to send the count
    if !isTold { tellMissed() }
    return isTold
  }

  private func tell(_ event: Event, _ sequence: Int, withAddresses hasAddresses: Bool) -> Bool {
    session.notify("events.happened", unlessWaiting: EventFeed.maximumWaitingBytes) {
      Self.write(event, sequence, withAddresses: hasAddresses, to: &$0)
    }
  }

  /// Sends the number of missed events, once there is room for it.
  private func tellMissed() {
    missed.withLock { missed in
      guard missed.count > 0 else { return }
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

  private static func write(
    _ event: Event, _ sequence: Int, withAddresses hasAddresses: Bool, to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.member("sequence", sequence)
      writer.member("event", event.name)
      writer.member("time", event.time.rfc3339)
      if let entry = event.entry {
        EventReplies.writeMembers(of: entry, withAddresses: hasAddresses, to: &writer)
      }
      if let account = event.account {
        writer.member("account", account.id.description)
        if hasAddresses { writer.member("email", account.email.typed) }
      }
      if let mail = event.mail { write(mail, withAddresses: hasAddresses, to: &writer) }
      // hidden from observers, because a mail system's words may quote an address
      if let message = event.message, hasAddresses || event.mail == nil { writer.member("message", message) }
    }
  }

  private static func write(_ mail: MailNews, withAddresses hasAddresses: Bool, to writer: inout JSONWriter) {
    writer.member("id", mail.id.description)
    if hasAddresses { writer.member("to", mail.to.typed) }
    writer.member("kind", mail.kind.rawValue)
    guard let wanted = mail.wanted else { return }
    writer.member("from", wanted.from)
    writer.member("subject", wanted.subject)
    writer.member("body", wanted.body)
    writer.member("language", wanted.language)
  }
}
