internal import JSONRPC
internal import Registration

/// `outbox.list`, `outbox.retry` and `outbox.discard`: registrations that wait for the upstream.
enum OutboxMethods {
  static func all(_ outbox: Outbox) -> [Method] { [list(outbox), retry(outbox), discard(outbox)] }

  private static func list(_ outbox: Outbox) -> Method {
    Method(
      "outbox.list", "Lists registrations that wait for the upstream, in their order, a page at a time.",
      access: .admin,
      parameters: [
        Parameter("after", .string, required: false, "The \"next\" of the page before; absent for the first page."),
        PageParameters.limit,
      ],
      result: .object(
        [
          .init("waiting", .array(schema, "")),
          .init("next", .string("The \"after\" of the next page; absent on the last."), required: false),
        ], ""),
      errors: ErrorReason.ofStore,
      .suspending { parameters, _ in
        let after: AccountID?
        let limit: Int
        do throws(RPCError) {
          after = try PageParameters.after(parameters[0])
          limit = try PageParameters.limit(parameters[1])
        } catch {
          return { _ in .error(error) }
        }
        return { _ in
          do throws(StoreFailure) {
            return reply(try await outbox.list(after: after, limit: limit))
          } catch {
            return .error(OutcomeReplies.error(error))
          }
        }
      })
  }

  private static func retry(_ outbox: Outbox) -> Method {
    Method(
      "outbox.retry", "Has one registration that waits tried now, or all of them; does not wait for what comes of it.",
      access: .admin,
      parameters: [Parameter("id", .string, required: false, "The account's UUID; absent for all.")],
      result: .object([], ""), errors: [.accountNotFound, .networkOffline] + ErrorReason.ofStore,
      .suspending { parameters, _ in
        let id: AccountID?
        do throws(RPCError) { id = try parameters[0].map(read) } catch { return { _ in .error(error) } }
        return { _ in OutcomeReplies.reply(to: await outbox.retry(id)) }
      })
  }

  private static func discard(_ outbox: Outbox) -> Method {
    Method(
      "outbox.discard",
      "Gives up a registration that waits: its address is free again here. The upstream is not told, and may have it.",
      access: .admin, parameters: [Parameter("id", .string, required: true, "The account's UUID.")],
      result: .object([], ""), errors: [.accountNotFound, .accountPending] + ErrorReason.ofStore,
      .suspending { parameters, session in
        let id: AccountID
        do throws(RPCError) {
          guard let view = parameters[0] else { throw .invalidParams("\"id\" is missing.", field: "id") }
          id = try read(view)
        } catch {
          return { _ in .error(error) }
        }
        let requester = session.caller.requester
        return { cancellation in
          OutcomeReplies.reply(
            to: await outbox.discard(id, by: requester, mayCommit: cancellation.beginCommit))
        }
      })
  }

  private static func read(_ view: JSONView) throws(RPCError) -> AccountID {
    guard let id = view.string.flatMap({ AccountID($0) }) else {
      throw .invalidParams("\"id\" must be a UUID, as outbox.list has it.", field: "id")
    }
    return id
  }

  private static let schema = Schema.object(
    [
      .init("id", .string("The account's UUID.")), .init("email", .string("As it was typed.")),
      .init("since", .string("When it was registered: RFC 3339, UTC.")),
      .init("attempts", .integer("How often the upstream gave no answer that counts, since the daemon started.")),
      .init("reason", .string("What was wrong the last time."), required: false),
      .init("nextAttemptAt", .string("RFC 3339, UTC.")),
    ], "")

  private static func reply(_ page: Page<Outbox.Waiting>) -> Reply {
    .object { writer in
      writer.member(
        "waiting",
        array: { writer in
          for waiting in page.elements { writer.object { write(waiting, &$0) } }
        })
      if page.hasMore, let last = page.elements.last { writer.member("next", last.account.id.description) }
    }
  }

  private static func write(_ waiting: Outbox.Waiting, _ writer: inout JSONWriter) {
    writer.member("id", waiting.account.id.description)
    writer.member("email", waiting.account.email.typed)
    writer.member("since", waiting.account.createdAt.rfc3339)
    writer.member("attempts", waiting.attempts)
    if let failure = waiting.failure { writer.member("reason", OutcomeReplies.error(failure).reason.rawValue) }
    writer.member("nextAttemptAt", waiting.next.rfc3339)
  }
}
