internal import JSONRPC
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
