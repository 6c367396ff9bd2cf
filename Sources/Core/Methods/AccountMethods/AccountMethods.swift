internal import JSONRPC
internal import Localization
internal import Reasons
internal import Registration
internal import WireProtocols

/// `account.get`, `disable`, `enable`, `signOut`, `approve`, `refuse`, `delete` and `setPassword`: operations of administrators
/// on one account.
enum AccountMethods {
  static func all(_ administrator: Administrator, _ normalizer: any TextNormalizer) -> [Method] {
    [
      method(
        "account.get", "Returns an account.",
        result: .named(
          "AccountWithTerms", .object(.init("account", AccountReply.account), AccountReply.accepted)),
        withTerms: true, repetition: .yes
      ) { account, _, _ in await administrator.account(account) },
      method(
        "account.disable", "Disables an account: it cannot sign in, and its address remains taken.",
        [.accountPending, .accountWaiting], repetition: .yes
      ) { account, requester, cancellation in
        await administrator.setEnabled(account, false, by: requester, mayCommit: cancellation.beginCommit)
      },
      method(
        "account.enable", "Enables a disabled account.", [.accountPending, .accountWaiting],
        repetition: .yes
      ) { account, requester, cancellation in
        await administrator.setEnabled(account, true, by: requester, mayCommit: cancellation.beginCommit)
      },
      method("account.signOut", "Ends all sign-ins of an account.", [.accountPending, .accountWaiting]) {
        account, requester, cancellation in
        await administrator.signOut(account, by: requester, mayCommit: cancellation.beginCommit)
      },
      method(
        "account.approve", "Approves a waiting account; with an upstream, regd registers the account there first.",
        [.accountPending, .emailTaken] + ErrorReason.ofNetwork, repetition: .yes
      ) { account, requester, cancellation in
        await administrator.approve(account, by: requester, mayCommit: cancellation.beginCommit)
      },
      method("account.refuse", "Removes a waiting account and frees its address.", result: .object()) {
        account, requester, cancellation in
        await administrator.refuse(account, by: requester, mayCommit: cancellation.beginCommit)
      },
      method(
        "account.delete", "Deletes an account permanently and frees its address.", [.accountPending],
        result: .object()
      ) { account, requester, cancellation in
        await administrator.delete(account, by: requester, mayCommit: cancellation.beginCommit)
      },
      setPassword(administrator, normalizer),
      groups(
        "account.addGroups", "Adds an account to groups; a pending account keeps its updatedAt.", administrator
      ) { ($0, []) },
      groups(
        "account.removeGroups", "Removes an account from groups; a pending account keeps its updatedAt.", administrator
      ) { ([], $0) },
      setDisplayName(administrator),
    ]
  }

  private static let errors: [ErrorReason] = [.validationFailed, .accountNotFound] + ErrorReason.ofStore

  private static func method(
    _ name: StaticString, _ summary: StaticString, _ errors: [ErrorReason] = [], result: Schema = AccountReply.schema,
    withTerms hasTerms: Bool = false, repetition: Repetition = .no,
    _ body: @escaping @Sendable (AccountReference, Requester, Cancellation) async -> AdministrationOutcome
  ) -> Method {
    Method(
      name, summary, access: .admin, parameters: [AccountReferenceParameters.id, AccountReferenceParameters.email],
      result: result,
      errors: Self.errors + errors, repetition: repetition,
      .suspending { parameters, session throws(RPCError) in
        let account = try AccountReferenceParameters.read(parameters)
        let requester = session.caller.requester
        return { cancellation in
          OutcomeReplies.reply(to: await body(account, requester, cancellation), withTerms: hasTerms)
        }
      })
  }

  private static let names = GroupParameters.required("The names of 1 to 64 groups.")

  /// - Parameter change: Returns the groups to add and those to remove.
  private static func groups(
    _ name: StaticString, _ summary: StaticString, _ administrator: Administrator,
    _ change: @escaping @Sendable ([GroupName]) -> (added: [GroupName], removed: [GroupName])
  ) -> Method {
    Method(
      name, summary, access: .admin,
      parameters: [names, AccountReferenceParameters.id, AccountReferenceParameters.email],
      result: AccountReply.schema, errors: errors + [.groupsTooMany], repetition: .yes,
      .suspending { parameters, session throws(RPCError) in
        let account = try AccountReferenceParameters.read(parameters)
        let (added, removed) = change(try GroupParameters.read(parameters[names], orNone: false))
        let requester = session.caller.requester
        return { cancellation in
          OutcomeReplies.reply(
            to: await administrator.changeGroups(
              account, adding: added, removing: removed, by: requester, mayCommit: cancellation.beginCommit))
        }
      })
  }

  private static func setDisplayName(_ administrator: Administrator) -> Method {
    Method(
      "account.setDisplayName",
      "Sets the display name of an account, or removes it; a pending account keeps its updatedAt.", access: .admin,
      parameters: [
        EntryParameters.newDisplayName, AccountReferenceParameters.id, AccountReferenceParameters.email,
      ],
      result: AccountReply.schema, errors: errors, repetition: .yes,
      .suspending { parameters, session throws(RPCError) in
        let account = try AccountReferenceParameters.read(parameters)
        let name = EntryParameters.displayName(parameters[EntryParameters.newDisplayName])
        let requester = session.caller.requester
        return { cancellation in
          OutcomeReplies.reply(
            to: await administrator.setDisplayName(
              account, to: name, by: requester, mayCommit: cancellation.beginCommit))
        }
      })
  }

  private static let password = Parameter("password", .string, required: false, "The new password.")
  private static let confirmation = Parameter(
    "passwordConfirmation", .string, required: false, "The new password, typed a second time.")

  private static func setPassword(_ administrator: Administrator, _ normalizer: any TextNormalizer) -> Method {
    Method(
      "account.setPassword", "Sets a new password, which must satisfy the rules for passwords.", access: .admin,
      parameters: [AccountReferenceParameters.id, password, confirmation, AccountReferenceParameters.email],
      result: AccountReply.schema, errors: errors + [.accountPending, .accountWaiting, .busy],
      repetition: .yes,
      .suspending { parameters, session throws(RPCError) in
        let account = try AccountReferenceParameters.read(parameters)
        let password = parameters[password]?.password(normalizer)
        let confirmation = parameters[confirmation]?.password(normalizer)
        let requester = session.caller.requester
        return { cancellation in
          OutcomeReplies.reply(
            to: await administrator.setPassword(
              account, password, confirmation: confirmation, by: requester, mayCommit: cancellation.beginCommit))
        }
      })
  }
}

/// `id` or `email`: names an account in the methods for administrators.
enum AccountReferenceParameters {
  static let id = Parameter(
    "id", .string, required: false, "The UUID of the account; required unless email is given.", .uuid)
  static let email = Parameter(
    "email", .string, required: false, "The address of the account; required unless id is given.")

  static func read(_ parameters: borrowing Parameters) throws(RPCError) -> AccountReference {
    switch (parameters[id]?.string, parameters[email]?.string) {
    case (let text?, nil):
      guard let id = AccountID(text) else {
        throw .invalidParams(LocalizedMessage(ParameterMessageKey.accountID), field: "id")
      }
      return .id(id)
    case (nil, let email?): return .email(email)
    case (nil, nil): throw .invalidParams(LocalizedMessage(ParameterMessageKey.accountMissing), field: "id")
    case (.some, .some):
      throw .invalidParams(LocalizedMessage(ParameterMessageKey.accountTwice), field: "email")
    }
  }
}

/// `account.create`: makes an account for an administrator, even if registration is closed.
enum AccountCreateMethod {
  private static let state = Parameter(
    "state", .string, required: false, "active or disabled (default: active).", .oneOf("active disabled"))
  private static let terms = Parameter(
    "terms", .string, required: false, "The version of the terms of use that the end user has accepted.")

  private static let groups = GroupParameters.optional("The groups of the account (at most 64).")

  static func make(_ administrator: Administrator, _ normalizer: any TextNormalizer) -> Method {
    Method(
      "account.create", "Creates an account; without a password, it cannot sign in until a password is set.",
      access: .admin,
      parameters: EntryParameters.all + [state, terms, groups, EntryParameters.displayName],
      result: AccountReply.schema,
      errors: [.validationFailed, .emailTaken, .groupsTooMany, .busy] + ErrorReason.ofNetwork + ErrorReason.ofStore,
      .suspending { parameters, session throws(RPCError) in
        let state = parameters[state]?.string.map { Account.State(rawValue: $0) } ?? .active
        guard state == .active || state == .disabled else {
          throw .invalidParams(LocalizedMessage(ParameterMessageKey.newAccountState), field: "state")
        }
        let draft = AccountDraft(
          email: parameters[EntryParameters.email]?.string,
          password: parameters[EntryParameters.password]?.password(normalizer),
          passwordConfirmation: parameters[EntryParameters.confirmation]?.password(normalizer),
          isDisabled: state == .disabled, terms: parameters[terms]?.string,
          groups: try GroupParameters.groups(parameters[groups]),
          displayName: EntryParameters.displayName(parameters[EntryParameters.displayName]))
        let requester = session.caller.requester
        return { cancellation in
          OutcomeReplies.reply(
            to: await administrator.create(draft, by: requester, mayCommit: cancellation.beginCommit))
        }
      })
  }
}

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
