internal import JSONRPC
package import Registration
internal import WireProtocols

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
  /// A message for an operator.
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
  var access: Access { mail?.wanted == nil ? .observe : .admin }

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

extension Event {
  /// Writes the params of `events.happened`.
  func write(sequence: Int, withAddresses hasAddresses: Bool, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("sequence", sequence)
      if let entry {
        EventReplies.writeMembers(of: entry, withAddresses: hasAddresses, to: &writer)
      } else {
        writer.member("event", name)
        writer.member("time", time.rfc3339)
      }
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

/// The names of events that are not audit entries. Audit entries have the names of `AuditEntry.Change`.
package enum EventName: String, CaseIterable, Sendable {
  /// Operations of the store have begun to fail. See `store.healthy` in `daemon.status`.
  case storeFailed = "store.failed"
  case storeRecovered = "store.recovered"
  /// The store has a row that it cannot read.
  case storeDamaged = "store.damaged"
  /// The database has gone back to an earlier state, so that acknowledged changes may be missing. See `store.wentBack` in
  /// `daemon.status`.
  case storeWentBack = "store.wentBack"
  /// An administrator has accepted a database that has gone back.
  case storeAccepted = "store.accepted"
  case networkFailed = "network.failed"
  case networkRecovered = "network.recovered"
  /// The circuit breaker has opened: only probes are sent to the upstream.
  case breakerOpened = "network.breakerOpened"
  case breakerClosed = "network.breakerClosed"
  /// The upstream has accepted a registration that waited for it.
  case delivered = "outbox.delivered"
  /// The upstream has refused a waiting registration, and the account was removed.
  case refused = "outbox.refused"
  /// An attempt to deliver a registration has failed, and will be repeated.
  case delayed = "outbox.delayed"
  /// A subscriber has to send a mail, and to report that with `mail.sent`. Used only if the configuration lets subscribers send
  /// mails.
  case mailWanted = "mail.wanted"
  /// The mail system has accepted a mail.
  case mailSent = "mail.sent"
  /// A try to send a mail has failed, and will be repeated.
  case mailDelayed = "mail.delayed"
  /// The mail system has refused a mail for good.
  case mailRefused = "mail.refused"
  case mailFailed = "mail.failed"
  case mailRecovered = "mail.recovered"
  /// The configuration was reloaded and is in force. The message names the changed keys.
  case reloaded = "daemon.reloaded"
  /// The subscriber was too slow. Only that subscriber gets this event, which has the number of missed events.
  case missed = "events.missed"

  /// Every name that `events.happened` can have.
  package static let all = AuditEntry.Change.allCases.map(\.rawValue) + allCases.map(\.rawValue)
}
