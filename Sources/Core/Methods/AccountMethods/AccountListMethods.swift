internal import JSONRPC
internal import Localization
internal import Registration
internal import WireProtocols

/// `account.list` and `account.export`: list the accounts in the order of their ids, page by page.
enum AccountListMethods {
  static func list(_ administrator: Administrator, _ info: Reloadable<ServerInfo>) -> Method {
    listing(
      "account.list", "Lists accounts in the order of their ids, one page at a time.", administrator, info,
      member: "accounts", AccountReply.account
    ) { stored, _, writer in
      AccountReply.write(stored.account, to: &writer)
    }.method([state, GroupParameters.group]) { parameters throws(RPCError) in
      let state = try read(parameters)
      let group = try GroupParameters.read(group: parameters[GroupParameters.group])
      return { (after, limit) async throws(StoreFailure) in
        guard let group else { return try await administrator.list(state, after: after, limit: limit) }
        return try await administrator.members(of: group, state, after: after, limit: limit)
      }
    }
  }

  private static let state = Parameter(
    "state", .string, required: false, "Lists only the accounts in this state.",
    .oneOf("active pending disabled waiting"))

  private static func read(_ parameters: borrowing Parameters) throws(RPCError) -> Account.State? {
    guard let text = parameters[state]?.string else { return nil }
    guard let state = Account.State(rawValue: text) else {
      throw .invalidParams(LocalizedMessage(ParameterMessageKey.accountState), field: "state")
    }
    return state
  }

  static func export(_ administrator: Administrator, _ info: Reloadable<ServerInfo>) -> Method {
    listing(
      "account.export",
      "Lists accounts with their password hashes, in the form that account.import accepts.",
      administrator, info, member: "records", ImportRecordReading.schema
    ) { stored, _, writer in
      writer.object { writer in
        writer.member("email", stored.account.email.typed)
        writer.member("passwordHash", stored.passwordHash.phc)
        writer.member("state", stored.account.state.rawValue)
        writer.member("createdAt", stored.account.createdAt.rfc3339)
        writer.member("id", stored.account.id.description)
        AccountReply.write(stored.account.terms, to: &writer)
        if !stored.account.groups.isEmpty { AccountReply.write(stored.account.groups, to: &writer) }
        if let name = stored.account.displayName { writer.member("displayName", name.text) }
      }
    }.method
  }

  private static func listing(
    _ name: StaticString, _ summary: StaticString, _ administrator: Administrator, _ info: Reloadable<ServerInfo>,
    member: StaticString, _ element: Schema,
    _ write: @escaping @Sendable (StoredAccount, Access, inout JSONWriter) -> Void
  ) -> Listing<AccountID, StoredAccount> {
    Listing(
      name: name, about: summary, member: member, element: element, info: info,
      page: { (after, limit) async throws(StoreFailure) in try await administrator.list(after: after, limit: limit) },
      position: \.account.id, write: write)
  }
}
