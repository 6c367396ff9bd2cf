internal import CoreMetrics
internal import JSONRPC
internal import Logging
internal import Methods
internal import OpenMetrics
internal import Registration

/// Logs, counts and publishes the results of mails. The log gets no address. It gets the mail system's words only when the mail
/// system begins to fail. The backends have already removed addresses and codes from them.
struct MailReport: Sendable {
  let logger: Logger
  let feed: EventFeed
  let health: Health
  let time: any TimeSource
  let metrics: MailMetrics

  /// Reports one result. Passed to the `MailQueue` as its observer.
  @Sendable func note(_ report: MailQueue.Report) {
    switch report {
    case .sent(let mail, let attempts):
      metrics.sent.increment()
      tell(
        .mailSent, mail, "The mail system has accepted the email, after \(Self.tries(attempts)).", .mailSent, attempts)
    case .refused(let mail, let words):
      metrics.refused.increment()
      tell(.mailRefused, mail, "The email will not be sent: \(words)", .mailRefused, nil)
    case .delayed(let mail, let attempts, let trouble, let next):
      let seconds = max(1, next.components.seconds)
      tell(
        .mailDelayed, mail, "\(trouble), after \(Self.tries(attempts)); the next is in about \(seconds) s.",
        .mailDelayed,
        attempts)
    case .outdated: metrics.outdated.increment()
    case .system(let failure):
      health.note(.mail, .writing, failure.map { MailTrouble($0).description }, plain: failure?.name)
    case .failed(let failure): metrics.failures[failure.name]?.increment()
    }
  }

  private func tell(
    _ name: EventName, _ mail: MailIntent, _ message: String, _ line: LogMessage, _ attempts: Int?
  ) {
    var details = ["mail": "\(mail.id)", "kind": mail.kind.rawValue]
    if let attempts { details["attempts"] = "\(attempts)" }
    logger.write(line, nil, details)
    feed.publish(Event(name, at: time.now(), mail: MailNews(mail), message: message))
  }

  private static func tries(_ count: Int) -> String { count == 1 ? "one attempt" : "\(count) attempts" }
}

/// Counts finished mails by their result, and failed tries by their reason.
struct MailMetrics: Sendable {
  let sent: Counter
  let refused: Counter
  let outdated: Counter
  let failures: [String: Counter]

  init(_ registry: OpenMetricsRegistry) {
    registry.describe("regd_mails", help: "Emails that no longer wait, by result.")
    registry.describe("regd_mail_failures", help: "Failed attempts to send an email, by reason.")
    func mails(_ state: StoredMail.State) -> Counter {
      Counter(label: "regd_mails", dimensions: [("state", state.rawValue)], factory: registry)
    }
    (sent, refused, outdated) = (mails(.sent), mails(.refused), mails(.outdated))
    let reasons: [MailFailure] = [.offline, .deferred(""), .lost, .timeout, .untrusted, .unusable(""), .refused("")]
    failures = Dictionary(
      uniqueKeysWithValues: reasons.map { reason in
        (
          reason.name,
          Counter(label: "regd_mail_failures", dimensions: [("reason", reason.name)], factory: registry)
        )
      })
  }
}
