internal import Registration

/// The names of events that are not entries of the audit; those of entries are `AuditEntry.Change`.
package enum EventName: String, CaseIterable, Sendable {
  /// Operations of the store have begun to fail: `store.healthy` in `daemon.status`.
  case storeFailed = "store.failed"
  case storeRecovered = "store.recovered"
  /// The store has a row that it cannot read.
  case storeDamaged = "store.damaged"
  case networkFailed = "network.failed"
  case networkRecovered = "network.recovered"
  /// The circuit breaker has opened: the upstream is not asked but for probes.
  case breakerOpened = "network.breakerOpened"
  case breakerClosed = "network.breakerClosed"
  /// The upstream has taken a registration that waited for it.
  case delivered = "outbox.delivered"
  /// The upstream has refused one; the account is gone.
  case refused = "outbox.refused"
  /// An attempt to deliver one has failed, and is repeated.
  case delayed = "outbox.delayed"
  /// A subscriber is to send a mail, and say so by `mail.sent`; only where the configuration has mails sent that way.
  case mailWanted = "mail.wanted"
  /// The mail system has a mail.
  case mailSent = "mail.sent"
  /// A try to send one has failed, and is repeated.
  case mailDelayed = "mail.delayed"
  /// The mail system has refused one for good.
  case mailRefused = "mail.refused"
  case mailFailed = "mail.failed"
  case mailRecovered = "mail.recovered"
  /// The configuration was read again and is in force; the message names the keys that have changed.
  case reloaded = "daemon.reloaded"
  /// The subscriber did not keep up; told to that subscriber only, with how many it has missed.
  case missed = "events.missed"

  /// Every name that `events.happened` can have.
  package static let all = AuditEntry.Change.allCases.map(\.rawValue) + allCases.map(\.rawValue)
}
