internal import Registration

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
