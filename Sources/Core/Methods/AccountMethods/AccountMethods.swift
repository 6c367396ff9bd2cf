internal import Dialogues
internal import JSONRPC
internal import Registration

/// `account.get`, `disable`, `enable`, `delete` and `setPassword`: operations of administrators on one account.
enum AccountMethods {
  static func all(_ administrator: Administrator, _ normalizer: any TextNormalizer) -> [Method] {
    [
      method("account.get", "Shows an account.") { account, _, _ in await administrator.account(account) },
      method(
        "account.disable", "Switches an account off: it cannot sign in, and its address is not free.", [.accountPending]
      ) { account, requester, cancellation in
        await administrator.setEnabled(account, false, by: requester, mayCommit: cancellation.beginCommit)
      },
      method("account.enable", "Switches a disabled account on again.", [.accountPending]) {
        account, requester, cancellation in
        await administrator.setEnabled(account, true, by: requester, mayCommit: cancellation.beginCommit)
      },
      method(
        "account.delete", "Removes an account for good; its address is free again.", [.accountPending],
        result: .object()
      ) { account, requester, cancellation in
        await administrator.delete(account, by: requester, mayCommit: cancellation.beginCommit)
      },
      setPassword(administrator, normalizer),
    ]
  }

  private static let errors: [ErrorReason] = [.validationFailed, .accountNotFound] + ErrorReason.ofStore

  private static func method(
    _ name: StaticString, _ summary: StaticString, _ errors: [ErrorReason] = [], result: Schema = AccountReply.schema,
    _ body: @escaping @Sendable (AccountReference, Requester, Cancellation) async -> AdministrationOutcome
  ) -> Method {
    Method(
      name, summary, access: .admin, parameters: [AccountReferenceParameters.id, AccountReferenceParameters.email],
      result: result,
      errors: Self.errors + errors,
      .suspending { parameters, session throws(RPCError) in
        let account = try AccountReferenceParameters.read(parameters)
        let requester = session.caller.requester
        return { cancellation in OutcomeReplies.reply(to: await body(account, requester, cancellation)) }
      })
  }

  private static let password = Parameter("password", .string, required: false, "The new password.")
  private static let confirmation = Parameter(
    "passwordConfirmation", .string, required: false, "The new password a second time.")

  private static func setPassword(_ administrator: Administrator, _ normalizer: any TextNormalizer) -> Method {
    Method(
      "account.setPassword", "Sets another password, which has to keep the rules for new ones.", access: .admin,
      parameters: [AccountReferenceParameters.id, password, confirmation, AccountReferenceParameters.email],
      result: AccountReply.schema, errors: errors + [.accountPending, .busy],
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
