internal import Dialogues
internal import JSONRPC
internal import Registration

/// `account.list` and `account.export`: all accounts in the order of their ids, page by page.
enum AccountListMethods {
  static func list(_ administrator: Administrator, _ info: Live<ServerInfo>) -> Method {
    method(
      "account.list", "Lists accounts in the order of their ids, a page at a time.", administrator, info,
      member: "accounts", AccountReply.account
    ) { stored, _, writer in AccountReply.write(stored.account, to: &writer) }
  }

  static func export(_ administrator: Administrator, _ info: Live<ServerInfo>) -> Method {
    method(
      "account.export", "Lists accounts with their password hashes, as account.import takes them: for moving house.",
      administrator, info, member: "records", ImportRecordReading.schema
    ) { stored, _, writer in
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
    member: StaticString, _ element: Schema,
    _ write: @escaping @Sendable (StoredAccount, Access, inout JSONWriter) -> Void
  ) -> Method {
    Listing(
      name: name, about: summary, member: member, element: element,
      room: { info.value.limits.responseBytes / 2 }, page: administrator.list, position: \.account.id, write: write
    ).method
  }
}
