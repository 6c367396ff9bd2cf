internal import Dialogues
internal import JSONRPC
internal import Registration
internal import Sentences

/// `mail.list`, `mail.retry`, `mail.discard` and `mail.sent`: for waiting mails, and for mails that a subscriber sends.
enum MailMethods {
  static func all(_ mails: MailQueue, _ asks: MailAsks) -> [Method] {
    [list(mails), retry(mails), discard(mails), sent(mails, asks)]
  }

  private static func list(_ mails: MailQueue) -> Method {
    Method(
      "mail.list", "Lists mails that wait to be sent, in their order, a page at a time.", access: .admin,
      parameters: [PageParameters.after, PageParameters.limit],
      result: .object(
        .init("waiting", .array(schema, "")),
        .init("next", .string("The \"after\" of the next page; absent on the last."), required: false)),
      errors: ErrorReason.ofStore,
      .suspending { parameters, _ throws(RPCError) in
        let after = try PageParameters.after(parameters)
        let limit = try PageParameters.limit(parameters)
        return { _ async in await OutcomeReplies.storing(reply(try await mails.list(after: after, limit: limit))) }
      })
  }

  private static func retry(_ mails: MailQueue) -> Method {
    Method(
      "mail.retry", "Has one mail that waits sent now, or all of them; does not wait for what comes of it.",
      access: .admin, parameters: [oneOrAll], result: .object(),
      errors: [.mailNotFound, .featureOff] + ErrorReason.ofStore,
      .suspending { parameters, _ throws(RPCError) in
        let id = try read(parameters)
        return { _ in reply(to: await mails.retry(id)) }
      })
  }

  private static func discard(_ mails: MailQueue) -> Method {
    Method(
      "mail.discard", "Gives up a mail that waits; one that is being handed over at that moment may arrive.",
      access: .admin, parameters: [one], result: .object(), errors: [.mailNotFound] + ErrorReason.ofStore,
      .suspending { parameters, _ throws(RPCError) in
        guard let id = try read(parameters) else { throw .internal }
        return { cancellation in
          reply(to: await mails.discard(id, mayCommit: cancellation.beginCommit))
        }
      })
  }

  private static func sent(_ mails: MailQueue, _ asks: MailAsks) -> Method {
    Method(
      "mail.sent", "Says that a mail of mail.wanted was sent: it waits no more.", access: .admin, parameters: [one],
      result: .object(), errors: [.mailNotFound] + ErrorReason.ofStore,
      .suspending { parameters, _ throws(RPCError) in
        guard let id = try read(parameters) else { throw .internal }
        return { _ in asks.wasSent(id) ? reply(to: .done) : reply(to: await mails.wasSent(id)) }
      })
  }

  private static let oneOrAll = Parameter("id", .string, required: false, "The mail's UUID; absent for all.")
  private static let one = Parameter("id", .string, required: true, "The mail's UUID.")

  private static func read(_ parameters: borrowing Parameters) throws(RPCError) -> MailID? {
    guard let text = parameters[one]?.string else { return nil }
    guard let id = MailID(text) else {
      throw .invalidParams(Sentence(ParameterSentence.listedMail), field: "id")
    }
    return id
  }

  // MARK: Replies

  private static func reply(to answer: MailQueue.Answer) -> Reply {
    switch answer {
    case .done: .object { _ in }
    case .notFound: .error(RPCError(.mailNotFound, Sentence(MailSentence.notFound)))
    case .noSystem: .error(RPCError(.featureOff, Sentence(FeatureSentence.mail)))
    case .cancelled: .error(.cancelled)
    case .store(let failure): .error(OutcomeReplies.error(failure))
    }
  }

  private static let schema = Schema.object(
    .init("id", .string("The mail's UUID.")), .init("to", .string("The address.")),
    .init("kind", .choice(MailKind.allCases.map(\.rawValue), "What it is to say.")),
    .init("since", .string("When it was wanted first: RFC 3339, UTC.")),
    .init("attempts", .integer("How often it was tried without success.")),
    .init("reason", .string("What was wrong the last time, in words."), required: false),
    .init("nextAttemptAt", .string("RFC 3339, UTC.")))

  private static func reply(_ page: Page<MailQueue.Waiting>) -> Reply {
    .object { writer in
      writer.array("waiting") { writer in
        for waiting in page.elements { writer.object { write(waiting, &$0) } }
      }
      if page.hasMore, let last = page.elements.last { writer.member("next", last.mail.id.description) }
    }
  }

  private static func write(_ waiting: MailQueue.Waiting, _ writer: inout JSONWriter) {
    writer.member("id", waiting.mail.id.description)
    writer.member("to", waiting.mail.to.typed)
    writer.member("kind", waiting.mail.kind.rawValue)
    writer.member("since", waiting.mail.createdAt.rfc3339)
    writer.member("attempts", waiting.attempts)
    if let reason = waiting.reason { writer.member("reason", reason) }
    writer.member("nextAttemptAt", waiting.next.rfc3339)
  }
}
