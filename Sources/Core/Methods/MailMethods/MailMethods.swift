internal import Dialogues
internal import JSONRPC
internal import Registration
internal import Sentences

/// `mail.list`, `mail.retry`, `mail.discard` and `mail.sent`: operations on waiting mails, and the report of a subscriber that
/// has sent one.
enum MailMethods {
  static func all(_ mails: MailQueue, _ asks: MailAsks) -> [Method] {
    let waiting = WaitingMethods(
      one: Parameter("id", .string, required: true, "The mail's UUID.", .uuid),
      oneOrAll: Parameter("id", .string, required: false, "The mail's UUID; absent for all.", .uuid),
      wrong: ParameterSentence.listedMail)
    return [
      list(mails).method,
      waiting.retry(
        "mail.retry", "Sends one mail that waits, or all of them, now; answers without waiting for the result.",
        errors: [.mailNotFound, .featureOff]
      ) { reply(to: await mails.retry($0)) },
      waiting.end(
        "mail.discard", "Gives up a mail that waits; if it is just being sent, it may still arrive.",
        errors: [.mailNotFound]
      ) { id, _, cancellation in reply(to: await mails.discard(id, mayCommit: cancellation.beginCommit)) },
      waiting.end(
        "mail.sent", "Acknowledges a mail of mail.wanted: it was sent, and waits no more.", errors: [.mailNotFound]
      ) { id, _, _ in asks.wasSent(id) ? reply(to: .done) : reply(to: await mails.wasSent(id)) },
    ]
  }

  private static func list(_ mails: MailQueue) -> Listing<MailID, MailQueue.Waiting> {
    Listing(
      name: "mail.list", about: "Lists mails that wait to be sent, the oldest first, a page at a time.",
      member: "waiting", element: schema
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
      .init("since", .time("When it was first asked for.")),
      .init("attempts", .integer("How many tries failed.")),
      .init("reason", .string("Why the last try failed, in words."), required: false),
      .init("nextAttemptAt", .time())))
}
