internal import JSONRPC
internal import Registration

/// `account.get`, `disable`, `enable`, `delete` and `setPassword`: one account, for administrators.
enum AccountMethods {
  static func all(_ administrator: Administrator, _ normalizer: any TextNormalizer) -> [Method] {
    [
      get(administrator), disable(administrator), enable(administrator), delete(administrator),
      setPassword(administrator, normalizer),
    ]
  }

  private static let errors: [ErrorReason] = [.validationFailed, .accountNotFound] + ErrorReason.ofStore

  private static func get(_ administrator: Administrator) -> Method {
    method("account.get", "Shows an account.") { who, _, _ in await administrator.account(who) }
  }

  private static func disable(_ administrator: Administrator) -> Method {
    method(
      "account.disable", "Switches an account off: it cannot sign in, and its address is not free.", [.accountPending]
    ) {
      who, requester, cancellation in
      await administrator.setEnabled(who, false, by: requester, mayCommit: cancellation.beginCommit)
    }
  }

  private static func enable(_ administrator: Administrator) -> Method {
    method("account.enable", "Switches a disabled account on again.", [.accountPending]) {
      who, requester, cancellation in
      await administrator.setEnabled(who, true, by: requester, mayCommit: cancellation.beginCommit)
    }
  }

  private static func delete(_ administrator: Administrator) -> Method {
    method(
      "account.delete", "Removes an account for good; its address is free again.", [.accountPending],
      result: .object([], "")
    ) {
      who, requester, cancellation in
      await administrator.delete(who, by: requester, mayCommit: cancellation.beginCommit)
    }
  }

  private static func method(
    _ name: StaticString, _ summary: StaticString, _ errors: [ErrorReason] = [], result: Schema = AccountReply.schema,
    _ body: @escaping @Sendable (AccountReference, Requester, Cancellation) async -> AdministrationOutcome
  ) -> Method {
    Method(
      name, summary, access: .admin, parameters: AccountReferenceParameters.parameters, result: result,
      errors: Self.errors + errors,
      .suspending { parameters, session in
        let who: AccountReference
        do throws(RPCError) { who = try AccountReferenceParameters.read(parameters) } catch {
          return { _ in .error(error) }
        }
        let requester = session.caller.requester
        return { cancellation in OutcomeReplies.reply(to: await body(who, requester, cancellation)) }
      })
  }

  private static func setPassword(_ administrator: Administrator, _ normalizer: any TextNormalizer) -> Method {
    Method(
      "account.setPassword", "Sets another password, which has to keep the rules for new ones.", access: .admin,
      parameters: [
        Parameter("id", .string, required: false, "The account's UUID; or email."),
        Parameter("password", .string, required: false, "The new password."),
        Parameter("passwordConfirmation", .string, required: false, "The new password a second time."),
        Parameter("email", .string, required: false, "The account's address; or id."),
      ],
      result: AccountReply.schema, errors: errors + [.accountPending, .busy],
      .suspending { parameters, session in
        let who: AccountReference
        do throws(RPCError) { who = try AccountReferenceParameters.read(parameters[0], parameters[3]) } catch {
          return { _ in .error(error) }
        }
        let password = parameters[1]?.password(normalizer)
        let confirmation = parameters[2]?.password(normalizer)
        let requester = session.caller.requester
        return { cancellation in
          OutcomeReplies.reply(
            to: await administrator.setPassword(
              who, password, confirmation: confirmation, by: requester, mayCommit: cancellation.beginCommit))
        }
      })
  }
}
