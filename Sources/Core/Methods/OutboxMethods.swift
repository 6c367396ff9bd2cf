internal import JSONRPC
internal import Localization
internal import Reasons
internal import Registration
internal import WireProtocols

/// `outbox.list`, `outbox.retry` and `outbox.discard`: operations on registrations that wait for the upstream.
enum OutboxMethods {
  static func all(_ outbox: Outbox, _ info: Reloadable<ServerInfo>) -> [Method] {
    let waiting = WaitingMethods(
      one: Parameter("id", .string, required: true, "The UUID of the account.", .uuid),
      oneOrAll: Parameter(
        "id", .string, required: false, "The UUID of the account; absent for all registrations.", .uuid),
      wrong: ParameterMessageKey.listedRegistration)
    return [
      list(outbox, info).method,
      waiting.retry(
        "outbox.retry",
        "Delivers one waiting registration, or all of them, now; replies without waiting for the result.",
        errors: [.accountNotFound, .networkOffline]
      ) { OutcomeReplies.reply(to: await outbox.retry($0)) },
      waiting.end(
        "outbox.discard",
        "Discards a waiting registration and frees its address here; the upstream may still have the account.",
        errors: [.accountNotFound, .accountPending]
      ) { id, requester, cancellation in
        OutcomeReplies.reply(to: await outbox.discard(id, by: requester, mayCommit: cancellation.beginCommit))
      },
    ]
  }

  private static func list(_ outbox: Outbox, _ info: Reloadable<ServerInfo>) -> Listing<AccountID, Outbox.Waiting> {
    Listing(
      name: "outbox.list",
      about: "Lists the registrations that wait for the upstream, oldest first, one page at a time.",
      member: "waiting", element: schema, info: info
    ) { (after, limit) async throws(StoreFailure) in
      try await outbox.list(after: after, limit: limit)
    } position: {
      $0.account.id
    } write: { waiting, _, writer in
      writer.object { writer in
        writer.member("id", waiting.account.id.description)
        writer.member("email", waiting.account.email.typed)
        writer.member("since", waiting.account.createdAt.rfc3339)
        writer.member("attempts", waiting.attempts)
        if let failure = waiting.failure { writer.member("reason", OutcomeReplies.reason(of: failure).name) }
        writer.member("nextAttemptAt", waiting.next.rfc3339)
      }
    }
  }

  private static let schema = Schema.named(
    "WaitingRegistration",
    .object(
      .init("id", .uuid("The UUID of the account.")), .init("email", .email()),
      .init("since", .time("When the account was registered.")),
      .init(
        "attempts",
        .integer("How many attempts got no decisive answer from the upstream, including the first one.")),
      .init("reason", ErrorData.reason, required: false),
      .init("nextAttemptAt", .time())))
}
