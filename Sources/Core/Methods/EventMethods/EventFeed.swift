internal import JSONRPC
package import Registration
internal import Synchronization

/// Something that has happened, as `events.happened` tells it.
package struct Event: Sendable {
  /// One of `EventName.all`, which programs switch on.
  package let name: String
  package let time: Timestamp
  /// The entry of the audit, if it is one.
  package let entry: AuditEntry?
  /// The account that it is about, if it is no entry of the audit.
  package let account: Account?
  /// The mail that it is about.
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

  /// Of a mail. But for `mail.wanted`, nothing of its text.
  package init(_ name: EventName, at time: Timestamp, mail: MailNews, message: String? = nil) {
    self.name = name.rawValue
    self.time = time
    self.mail = mail
    self.message = message
    (entry, account) = (nil, nil)
  }

  package init(_ entry: AuditEntry) {
    name = entry.change.rawValue
    time = entry.time
    self.entry = entry
    (account, mail, message) = (nil, nil, nil)
  }
}

/// A mail as events tell of it.
package struct MailNews: Sendable {
  let id: MailID
  let to: EmailAddress
  let kind: MailKind
  /// What it is to say; nil where that is not told.
  let wanted: Mail?

  package init(_ mail: MailIntent) {
    (id, to, kind) = (mail.id, mail.to, mail.kind)
    wanted = nil
  }

  /// With its text, for who is to send it.
  package init(wanted mail: Mail) {
    (id, to, kind) = (mail.id, mail.to, mail.kind)
    wanted = mail
  }
}

/// Tells events to all subscribers, each under a sequence number; a subscriber that does not keep up is told how many it
/// has missed.
package final class EventFeed: Sendable {
  private struct Guarded {
    /// The number of the last event; from 1 at the daemon's start.
    var sequence = 0
    var subscribers: [ObjectIdentifier: Subscription] = [:]
  }

  /// Bytes of notifications that may wait for one subscriber: some hundred events.
  static let maximumWaitingBytes = 65_536

  private let guarded = Mutex(Guarded())

  package init() {}

  /// Tells an event to all subscribers; never waits for one.
  ///
  /// - Returns: How many are told; the others have too much waiting already, or may not be told any more.
  @discardableResult
  package func publish(_ event: Event) -> Int {
    // under the lock, so that every subscriber gets them in the order of the numbers
    guarded.withLock { guarded in
      guarded.sequence += 1
      let sequence = guarded.sequence
      return guarded.subscribers.values.reduce(0) { $0 + ($1.offer(event, sequence) ? 1 : 0) }
    }
  }

  package var subscribers: Int { guarded.withLock { $0.subscribers.count } }

  /// Subscribes a session until it ends or unsubscribes; a second subscription changes nothing.
  ///
  /// - Returns: The number of the last event before the subscription.
  func subscribe(_ session: Session) -> Int {
    session.attachment { SubscriptionOwner(self, Subscription(session)) }.begin
  }

  /// - Returns: The number of the last event before it.
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

/// Owns a session's subscription, and ends it when the session lets go of this.
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

  /// - Returns: Whether it is told.
  func offer(_ event: Event, _ sequence: Int) -> Bool {
    // a reload may have taken the caller's right
    let access = session.access
    guard access >= (event.mail?.wanted == nil ? .observe : .admin) else { return false }
    tellMissed()
    let isTold = missed.withLock { missed in
      if missed.count == 0, tell(event, sequence, withAddresses: access == .admin) { return true }
      missed.count += 1
      missed.last = sequence
      missed.time = event.time
      return false
    }
    // everything that waited may have been taken meanwhile; then nothing else would send it
    if !isTold { tellMissed() }
    return isTold
  }

  private func tell(_ event: Event, _ sequence: Int, withAddresses hasAddresses: Bool) -> Bool {
    session.notify("events.happened", unlessWaiting: EventFeed.maximumWaitingBytes) {
      Self.write(event, sequence, withAddresses: hasAddresses, to: &$0)
    }
  }

  /// Says how many were missed, once there is room to say it.
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
      // a mail system's words may quote an address
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
