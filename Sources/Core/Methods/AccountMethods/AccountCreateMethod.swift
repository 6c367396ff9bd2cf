internal import JSONRPC
internal import Localization
internal import Reasons
internal import Registration
internal import WireProtocols

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
