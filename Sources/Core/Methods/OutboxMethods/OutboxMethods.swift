internal import Dialogues
internal import JSONRPC
internal import Registration
internal import Sentences

/// `outbox.list`, `outbox.retry` and `outbox.discard`: for registrations that wait for the upstream.
enum OutboxMethods {
  static func all(_ outbox: Outbox) -> [Method] { [list(outbox), retry(outbox), discard(outbox)] }

  private static func list(_ outbox: Outbox) -> Method {
    Method(
      "outbox.list", "Lists registrations that wait for the upstream, in their order, a page at a time.",
      access: .admin,
      parameters: [PageParameters.after, PageParameters.limit],
      result: .object(
        .init("waiting", .array(schema, "")),
        .init("next", .string("The \"after\" of the next page; absent on the last."), required: false)),
      errors: ErrorReason.ofStore,
      .suspending { parameters, _ throws(RPCError) in
        let after = try PageParameters.after(parameters)
        let limit = try PageParameters.limit(parameters)
        return { _ async in await OutcomeReplies.storing(reply(try await outbox.list(after: after, limit: limit))) }
      })
  }

  private static func retry(_ outbox: Outbox) -> Method {
    Method(
      "outbox.retry", "Has one registration that waits tried now, or all of them; does not wait for what comes of it.",
      access: .admin,
      parameters: [oneOrAll],
      result: .object(), errors: [.accountNotFound, .networkOffline] + ErrorReason.ofStore,
      .suspending { parameters, _ throws(RPCError) in
        let id = try read(parameters)
        return { _ in OutcomeReplies.reply(to: await outbox.retry(id)) }
      })
  }

  private static func discard(_ outbox: Outbox) -> Method {
    Method(
      "outbox.discard",
      "Gives up a registration that waits: its address is free again here. The upstream is not told, and may have it.",
      access: .admin, parameters: [one],
      result: .object(), errors: [.accountNotFound, .accountPending] + ErrorReason.ofStore,
      .suspending { parameters, session throws(RPCError) in
        guard let id = try read(parameters) else { throw .internal }
        let requester = session.caller.requester
        return { cancellation in
          OutcomeReplies.reply(
            to: await outbox.discard(id, by: requester, mayCommit: cancellation.beginCommit))
        }
      })
  }

  private static let oneOrAll = Parameter("id", .string, required: false, "The account's UUID; absent for all.")
  private static let one = Parameter("id", .string, required: true, "The account's UUID.")

  private static func read(_ parameters: borrowing Parameters) throws(RPCError) -> AccountID? {
    guard let text = parameters[one]?.string else { return nil }
    guard let id = AccountID(text) else {
      throw .invalidParams(Sentence(ParameterSentence.listedRegistration), field: "id")
    }
    return id
  }

  private static let schema = Schema.object(
    .init("id", .string("The account's UUID.")), .init("email", .string("As it was typed.")),
    .init("since", .string("When it was registered: RFC 3339, UTC.")),
    .init(
      "attempts",
      .integer("How often the upstream gave no answer that counts: to the first ask, and to the outbox.")),
    .init("reason", .string("What was wrong the last time."), required: false),
    .init("nextAttemptAt", .string("RFC 3339, UTC.")))

  private static func reply(_ page: Page<Outbox.Waiting>) -> Reply {
    .object { writer in
      writer.array("waiting") { writer in
        for waiting in page.elements { writer.object { write(waiting, &$0) } }
      }
      if page.hasMore, let last = page.elements.last { writer.member("next", last.account.id.description) }
    }
  }

  private static func write(_ waiting: Outbox.Waiting, _ writer: inout JSONWriter) {
    writer.member("id", waiting.account.id.description)
    writer.member("email", waiting.account.email.typed)
    writer.member("since", waiting.account.createdAt.rfc3339)
    writer.member("attempts", waiting.attempts)
    if let failure = waiting.failure { writer.member("reason", OutcomeReplies.reason(of: failure).name) }
    writer.member("nextAttemptAt", waiting.next.rfc3339)
  }
}
