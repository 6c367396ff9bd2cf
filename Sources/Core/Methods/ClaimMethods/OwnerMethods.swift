internal import JSONRPC
internal import Reasons
internal import Registration

/// `owner.*`: operations of an account's owner, whom regd authenticates by address and password in every call.
enum OwnerMethods {
  /// The most bytes of an address as a JSON string, as in `session.signIn`.
  private static let longestAddress = 6144

  private static let email = Parameter("email", .string, required: true, "The email address as the end user typed it.")
  private static let password = Parameter("password", .string, required: true, "The password as the end user typed it.")
  private static let newPassword = Parameter("newPassword", .string, required: false, "The new password.")
  private static let newConfirmation = Parameter(
    "newPasswordConfirmation", .string, required: false, "The new password, typed a second time.")
  private static let newEmail = Parameter("newEmail", .string, required: false, "The new email address.")

  private static let errors: [ErrorReason] =
    [.credentialsRejected, .accountDisabled, .accountPending, .accountWaiting, .rateLimited, .busy]
    + ErrorReason.ofNetwork + ErrorReason.ofStore

  static func all(
    _ registrar: Reloadable<Registrar>, _ normalizer: any TextNormalizer, _ info: Reloadable<ServerInfo>
  ) -> [Method] {
    let stamps: @Sendable () -> SessionStamps? = { registrar.with(\.stamps) }
    return [
      changePassword(registrar, normalizer),
      changeEmail(registrar, normalizer),
      acceptTerms(registrar, normalizer),
      setDisplayName(registrar, normalizer),
      method(
        "owner.signOut", "Ends all sign-ins of the account, and returns a new stamp.", [],
        AccountReply.stamped, normalizer, stamps: stamps
      ) { owner, requester, cancellation in
        await registrar.value.signOut(owner.email, owner.password, by: requester, mayCommit: cancellation.beginCommit)
      },
      method(
        "owner.delete", "Deletes the account and everything that regd knows about its owner.", [.featureOff], .object(),
        normalizer
      ) {
        owner, requester, cancellation in
        await registrar.value.deleteAccount(
          owner.email, owner.password, by: requester, mayCommit: cancellation.beginCommit)
      },
      export(registrar, normalizer, info),
    ]
  }

  /// Address and password of a caller who claims to be an account's owner.
  private struct Owner: Sendable {
    let email: String
    let password: Password

    init(_ parameters: borrowing Parameters, _ normalizer: any TextNormalizer) {
      email = parameters[OwnerMethods.email].flatMap { $0.source.count <= longestAddress ? $0.string : nil } ?? ""
      password = parameters[OwnerMethods.password]?.password(normalizer) ?? Password(utf8: [])
    }
  }

  private static func method(
    _ name: StaticString, _ summary: StaticString, _ reasons: [ErrorReason], _ result: Schema,
    _ normalizer: any TextNormalizer, stamps: @escaping @Sendable () -> SessionStamps? = { nil },
    _ body: @escaping @Sendable (Owner, Requester, Cancellation) async -> OwnerOutcome
  ) -> Method {
    Method(
      name, summary, parameters: [email, password, OriginParameter.parameter, .language], result: result,
      errors: errors + reasons,
      .suspending { parameters, session throws(RPCError) in
        let requester = try OriginParameter.requester(parameters, session.caller)
        let owner = Owner(parameters, normalizer)
        return { cancellation in OutcomeReplies.reply(to: await body(owner, requester, cancellation), stamps()) }
      })
  }

  private static func changePassword(_ registrar: Reloadable<Registrar>, _ normalizer: any TextNormalizer) -> Method {
    Method(
      "owner.changePassword", "Sets a new password, which must satisfy the rules for passwords.",
      parameters: [email, password, newPassword, newConfirmation, OriginParameter.parameter, .language],
      result: AccountReply.stamped, errors: errors + [.validationFailed, .featureOff],
      .suspending { parameters, session throws(RPCError) in
        let requester = try OriginParameter.requester(parameters, session.caller)
        let owner = Owner(parameters, normalizer)
        let new = parameters[newPassword]?.password(normalizer)
        let confirmation = parameters[newConfirmation]?.password(normalizer)
        let language = session.ranges(for: parameters.language)
        return { cancellation in
          let registrar = registrar.value
          let outcome = await registrar.changePassword(
            owner.email, owner.password, to: new, confirmation: confirmation, language: language, by: requester,
            mayCommit: cancellation.beginCommit)
          return OutcomeReplies.reply(to: outcome, registrar.stamps)
        }
      })
  }

  private static func export(
    _ registrar: Reloadable<Registrar>, _ normalizer: any TextNormalizer, _ info: Reloadable<ServerInfo>
  ) -> Method {
    Method(
      "owner.export",
      "Returns everything that regd knows about the owner of the account, with one page of the audit at a time.",
      parameters: [email, password, EntryNumber.after, OriginParameter.parameter, .language],
      result: .object(
        .init("account", AccountReply.account), AccountReply.accepted,
        .init(
          "language",
          .string(
            "The language of the mails about the account's approval, as a BCP 47 tag; absent after the approval."),
          required: false),
        .init("audit", .array(EventReplies.schema, "The audit's entries about the account, the oldest first.")),
        .init("next", EntryNumber.next, required: false)),
      errors: errors,
      .suspending { parameters, session throws(RPCError) in
        let requester = try OriginParameter.requester(parameters, session.caller)
        let owner = Owner(parameters, normalizer)
        let after = try EntryNumber.read(parameters)?.number ?? 0
        return { _ in
          OutcomeReplies.reply(
            to: await registrar.value.exportAccount(owner.email, owner.password, after: after, by: requester),
            room: info.value.limits.pageBytes)
        }
      })
  }

  private static let terms = Parameter("terms", .string, required: false, "The version of the terms of use.")

  private static func acceptTerms(_ registrar: Reloadable<Registrar>, _ normalizer: any TextNormalizer) -> Method {
    Method(
      "owner.acceptTerms", "Records that the owner accepts the current terms of use.",
      parameters: [email, password, terms, OriginParameter.parameter, .language],
      result: AccountReply.schema, errors: errors + [.validationFailed, .featureOff], repetition: .yes,
      .suspending { parameters, session throws(RPCError) in
        let requester = try OriginParameter.requester(parameters, session.caller)
        let owner = Owner(parameters, normalizer)
        let version = parameters[terms]?.string
        return { cancellation in
          OutcomeReplies.reply(
            to: await registrar.value.acceptTerms(
              owner.email, owner.password, version, by: requester, mayCommit: cancellation.beginCommit))
        }
      })
  }

  private static func setDisplayName(_ registrar: Reloadable<Registrar>, _ normalizer: any TextNormalizer) -> Method {
    Method(
      "owner.setDisplayName", "Sets the display name of the account, or removes it.",
      parameters: [email, password, EntryParameters.newDisplayName, OriginParameter.parameter, .language],
      result: AccountReply.schema, errors: errors + [.validationFailed], repetition: .yes,
      .suspending { parameters, session throws(RPCError) in
        let requester = try OriginParameter.requester(parameters, session.caller)
        let owner = Owner(parameters, normalizer)
        let name = EntryParameters.displayName(parameters[EntryParameters.newDisplayName])
        return { cancellation in
          OutcomeReplies.reply(
            to: await registrar.value.setDisplayName(
              owner.email, owner.password, to: name, by: requester, mayCommit: cancellation.beginCommit))
        }
      })
  }

  private static func changeEmail(_ registrar: Reloadable<Registrar>, _ normalizer: any TextNormalizer) -> Method {
    Method(
      "owner.changeEmail", "Changes the address of the account, or starts a claim if addresses are verified first.",
      parameters: [email, password, newEmail, .language, OriginParameter.parameter],
      result: ClaimReply.accountOrClaim, errors: errors + [.validationFailed, .emailTaken, .featureOff],
      .suspending { parameters, session throws(RPCError) in
        let requester = try OriginParameter.requester(parameters, session.caller)
        let owner = Owner(parameters, normalizer)
        let (new, language) = (parameters[newEmail]?.string, session.ranges(for: parameters.language))
        return { cancellation in
          let registrar = registrar.value
          let outcome = await registrar.changeEmail(
            owner.email, owner.password, to: new, language: language, by: requester,
            mayCommit: cancellation.beginCommit)
          return OutcomeReplies.reply(to: outcome, registrar.stamps)
        }
      })
  }
}
