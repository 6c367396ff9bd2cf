internal import Dialogues
internal import JSONRPC
internal import Registration

/// `account.list` and `account.export`: all accounts in the order of their ids, page by page.
enum AccountListMethods {
  static func list(_ administrator: Administrator, _ info: Live<ServerInfo>) -> Method {
    method(
      "account.list", "Lists accounts in the order of their ids, a page at a time.", administrator, info,
      member: "accounts",
      AccountReply.account
    ) { AccountReply.write($0.account, to: &$1) }
  }

  static func export(_ administrator: Administrator, _ info: Live<ServerInfo>) -> Method {
    method(
      "account.export", "Lists accounts with their password hashes, as account.import takes them: for moving house.",
      administrator, info, member: "records", ImportRecordReading.schema
    ) { stored, writer in
      writer.object { writer in
        writer.member("email", stored.account.email.typed)
        writer.member("passwordHash", stored.passwordHash.phc)
        writer.member("state", stored.account.state.rawValue)
        writer.member("createdAt", stored.account.createdAt.rfc3339)
        writer.member("id", stored.account.id.description)
      }
    }
  }

  private static func method(
    _ name: StaticString, _ summary: StaticString, _ administrator: Administrator, _ info: Live<ServerInfo>,
    member: StaticString,
    _ element: Schema, _ write: @escaping @Sendable (StoredAccount, inout JSONWriter) -> Void
  ) -> Method {
    Method(
      name, summary, access: .admin,
      parameters: [PageParameters.after, PageParameters.limit],
      result: .object(
        .init(member, .array(element, "")),
        .init("next", .string("The \"after\" of the next page; absent on the last."), required: false)),
      errors: ErrorReason.ofStore,
      .suspending { parameters, _ throws(RPCError) in
        let after = try PageParameters.after(parameters)
        let limit = try PageParameters.limit(parameters)
        return { _ async in
          await OutcomeReplies.storing(
            reply(
              try await administrator.list(after: after, limit: limit), member, info.value.limits.responseBytes / 2,
              write))
        }
      })
  }

  /// - Parameter room: The page ends after this many bytes, full or not; the next page continues there.
  private static func reply(
    _ page: Page<StoredAccount>, _ member: StaticString, _ room: Int,
    _ write: (StoredAccount, inout JSONWriter) -> Void
  ) -> Reply {
    .object { writer in
      var last: StoredAccount?
      var count = 0
      writer.array(member) { writer in
        for stored in page.elements where writer.count < room {
          write(stored, &writer)
          last = stored
          count += 1
        }
      }
      if page.hasMore || count < page.elements.count, let last {
        writer.member("next", last.account.id.description)
      }
    }
  }
}
