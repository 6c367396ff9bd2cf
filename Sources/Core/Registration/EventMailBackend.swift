/// The backend for `mail.backend: event`. Sends subscribed administrators an event that a mail is wanted. They report
/// when they have sent the mail. Its configuration key is `mail.event.answerSeconds`.
package struct EventMailBackend: MailBackend {
  package static let name = "event"

  private let answer: Duration

  package init(_ keys: inout some ConfigurationKeys, isChosen: Bool) {
    answer = keys.seconds("mail.event.answerSeconds", default: Self.usualTime, .milliseconds(10)...(.seconds(86_400)))
  }

  package func check(_ keys: inout some ConfigurationKeys, chosen: String?, requestSeconds: Int) {
    if chosen == Self.name { Self.refuse(answer, of: "mail.event.answerSeconds", &keys, ifNotBelow: requestSeconds) }
  }

  package func open(_ context: MailContext) throws(NetworkOpeningFailure) -> OpenMail {
    OpenMail(EventMail(ask: context.ask, within: answer))
  }
}

/// Asks subscribers to send each mail, and waits for their answer.
struct EventMail: MailService {
  private let ask: @Sendable (Mail, Duration) async throws(MailFailure) -> Void
  private let limit: Duration

  init(ask: @escaping @Sendable (Mail, Duration) async throws(MailFailure) -> Void, within limit: Duration) {
    self.ask = ask
    self.limit = limit
  }

  func send(_ mail: Mail) async throws(MailFailure) { try await ask(mail, limit) }
}
