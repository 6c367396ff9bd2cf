internal import JSONRPC
internal import Localization
internal import Reasons
internal import Registration
internal import WireProtocols

/// `mail.list`, `mail.retry`, `mail.discard` and `mail.sent`: operations on waiting mails, and the report of a subscriber that
/// has sent one.
enum MailMethods {
  static func all(_ mails: MailQueue, _ asks: MailAsks, _ info: Reloadable<ServerInfo>) -> [Method] {
    let waiting = WaitingMethods(
      one: Parameter("id", .string, required: true, "The UUID of the mail.", .uuid),
      oneOrAll: Parameter("id", .string, required: false, "The UUID of the mail; absent for all mails.", .uuid),
      wrong: ParameterMessageKey.listedMail)
    return [
      list(mails, info).method,
      waiting.retry(
        "mail.retry", "Sends one waiting mail, or all of them, now; replies without waiting for the result.",
        errors: [.mailNotFound, .featureOff]
      ) { reply(to: await mails.retry($0)) },
      waiting.end(
        "mail.discard", "Discards a waiting mail; a mail that is being sent at that moment may still arrive.",
        errors: [.mailNotFound]
      ) { id, _, cancellation in reply(to: await mails.discard(id, mayCommit: cancellation.beginCommit)) },
      waiting.end(
        "mail.sent", "Confirms that a subscriber has sent a mail of the event mail.wanted.", errors: [.mailNotFound]
      ) { id, _, _ in asks.wasSent(id) ? reply(to: .done) : reply(to: await mails.wasSent(id)) },
    ]
  }

  private static func list(
    _ mails: MailQueue, _ info: Reloadable<ServerInfo>
  ) -> Listing<MailID, MailQueue.Waiting> {
    Listing(
      name: "mail.list", about: "Lists the mails that wait to be sent, oldest first, one page at a time.",
      member: "waiting", element: schema, info: info
    ) { (after, limit) async throws(StoreFailure) in
      try await mails.list(after: after, limit: limit)
    } position: {
      $0.mail.id
    } write: { waiting, _, writer in
      writer.object { writer in
        writer.member("id", waiting.mail.id.description)
        writer.member("to", waiting.mail.to.typed)
        writer.member("kind", waiting.mail.kind.rawValue)
        writer.member("since", waiting.mail.createdAt.rfc3339)
        writer.member("attempts", waiting.attempts)
        if let reason = waiting.reason { writer.member("reason", reason) }
        writer.member("nextAttemptAt", waiting.next.rfc3339)
      }
    }
  }

  // MARK: Replies

  private static func reply(to answer: MailQueue.Answer) -> Reply { OutcomeReplies.reply(to: answer) }

  static let kind = Schema.named(
    "MailKind", .choice(MailKind.allCases.map(\.rawValue), "What the mail is about."))
  private static let schema = Schema.named(
    "WaitingMail",
    .object(
      .init("id", .uuid()), .init("to", .email("The recipient's address.")), .init("kind", kind),
      .init("since", .time("When the mail was first requested.")),
      .init("attempts", .integer("How many attempts failed.")),
      .init("reason", .string("Why the last attempt failed, as a text."), required: false),
      .init("nextAttemptAt", .time())))
}
