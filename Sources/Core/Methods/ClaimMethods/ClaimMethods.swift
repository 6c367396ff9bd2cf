internal import JSONRPC
internal import Localization
internal import Reasons
internal import Registration
internal import WireProtocols

/// `claim.prove` and `claim.resend`: operations of a caller on its own claim (its request to prove an address by a
/// mailed code).
enum ClaimMethods {
  static let claim = Parameter("claim", .string, required: true, "The id of the claim.")
  static let code = Parameter(
    "code", .string, required: true, "The code from the mail; spaces and hyphens are ignored.")

  static func all(_ registrar: Reloadable<Registrar>) -> [Method] { [prove(registrar), resend(registrar)] }

  private static func prove(_ registrar: Reloadable<Registrar>) -> Method {
    Method(
      "claim.prove",
      "Verifies an address by the code that was mailed to it, and completes the registration or the change of address.",
      parameters: [claim, code, OriginParameter.parameter, .language],
      result: .named(
        "ProvenAccount", .object(.init("account", AccountReply.account), AccountReply.stamp(required: false))),
      errors: [.claimNotFound, .codeRejected, .emailTaken, .registrationClosed, .featureOff, .busy]
        + ErrorReason.ofNetwork
        + ErrorReason.ofStore, repetition: .yes,
      .suspending { parameters, session throws(RPCError) in
        let requester = try OriginParameter.requester(parameters, session.caller)
        let (id, code) = (read(parameters), readCode(parameters))
        let language = session.known(parameters.language)
        return { cancellation in
          guard let id else { return .error(OutcomeReplies.claimNotFound) }
          var own: String?
          let registrar = registrar.value
          let outcome = await registrar.prove(
            id, code: code, language: language, by: requester, mayCommit: cancellation.beginCommit,
            found: { own = $0.language })
          return OutcomeReplies.reply(to: outcome, registrar.stamps, in: own)
        }
      })
  }

  private static func resend(_ registrar: Reloadable<Registrar>) -> Method {
    Method(
      "claim.resend", "Mails the code of a claim again, or a new code if the code is no longer valid.",
      parameters: [claim, OriginParameter.parameter, .language], result: ClaimReply.schema,
      errors: [.claimNotFound, .emailTaken, .registrationClosed, .featureOff, .rateLimited] + ErrorReason.ofStore,
      .suspending { parameters, session throws(RPCError) in
        let requester = try OriginParameter.requester(parameters, session.caller)
        let (id, language) = (read(parameters), session.known(parameters.language))
        return { cancellation in
          guard let id else { return .error(OutcomeReplies.claimNotFound) }
          var own: String?
          let outcome = await registrar.value.resend(
            id, language: language, by: requester, mayCommit: cancellation.beginCommit, found: { own = $0.language })
          if case .claimed(let claim) = outcome { session.existing(OpenForms.self)?.follow(claim, session) }
          return OutcomeReplies.reply(to: outcome, in: own)
        }
      })
  }

  /// The id of the claim, or nil for a string that is not an id. Callers treat nil as an unknown claim.
  static func read(_ parameters: borrowing Parameters) -> ClaimID? { parameters[claim]?.string.flatMap { ClaimID($0) } }

  /// The most bytes of a code as a JSON string. A longer code is not read.
  private static let longestCode = 1024

  /// The code, or "" if the string is too long for a code.
  static func readCode(_ parameters: borrowing Parameters) -> String {
    parameters[code].flatMap { $0.source.count <= longestCode ? $0.string : nil } ?? ""
  }
}

/// `recovery.start` and `recovery.finish`: set another password for an owner who has forgotten it.
enum RecoveryMethods {
  private static let email = Parameter(
    "email", .string, required: false, "The email address of the account as the end user typed it.")
  private static let password = Parameter("password", .string, required: false, "The new password.")
  private static let confirmation = Parameter(
    "passwordConfirmation", .string, required: false, "The new password, typed a second time.")

  static func all(_ registrar: Reloadable<Registrar>, _ normalizer: any TextNormalizer) -> [Method] {
    [start(registrar), finish(registrar, normalizer)]
  }

  private static func start(_ registrar: Reloadable<Registrar>) -> Method {
    Method(
      "recovery.start",
      "Mails a code with which the owner can set a new password; the reply is the same for an unknown address.",
      parameters: [email, .language, OriginParameter.parameter], result: ClaimReply.schema,
      errors: [.validationFailed, .featureOff] + ErrorReason.ofStore,
      .suspending { parameters, session throws(RPCError) in
        let requester = try OriginParameter.requester(parameters, session.caller)
        let (email, language) = (parameters[email]?.string, session.ranges(for: parameters.language))
        let begun = ContinuousClock.now
        return { cancellation in
          let outcome = await registrar.value.startRecovery(
            email, language: language, by: requester, mayCommit: cancellation.beginCommit)
          // hides whether there is such an account: if so, regd also queues a mail, which takes longer
          await MinimumResponseTime.pass(since: begun)
          return OutcomeReplies.reply(to: outcome)
        }
      })
  }

  private static func finish(_ registrar: Reloadable<Registrar>, _ normalizer: any TextNormalizer) -> Method {
    Method(
      "recovery.finish", "Sets a new password, with the code from the mail.",
      parameters: [
        ClaimMethods.claim, ClaimMethods.code, password, confirmation, OriginParameter.parameter, .language,
      ],
      result: AccountReply.stamped,
      errors: [.claimNotFound, .codeRejected, .validationFailed, .rateLimited, .busy, .featureOff]
        + ErrorReason.ofStore,
      .suspending { parameters, session throws(RPCError) in
        let requester = try OriginParameter.requester(parameters, session.caller)
        let (id, code) = (ClaimMethods.read(parameters), ClaimMethods.readCode(parameters))
        let password = parameters[password]?.password(normalizer)
        let confirmation = parameters[confirmation]?.password(normalizer)
        let language = session.known(parameters.language)
        let begun = ContinuousClock.now
        return { cancellation in
          var own: String?
          // called even if the string is not an id, because "the feature is off" takes precedence over "no such claim"
          let registrar = registrar.value
          let outcome = await registrar.finishRecovery(
            id ?? ClaimID(), code: code, password: password, confirmation: confirmation, language: language,
            by: requester, mayCommit: cancellation.beginCommit, found: { own = $0.language })
          await MinimumResponseTime.pass(since: begun, with: outcome)
          return OutcomeReplies.reply(to: outcome, registrar.stamps, in: own)
        }
      })
  }
}

/// `claim.list`: lists claims (requests to prove an address by a mailed code) that have not expired, in the order of
/// their ids, for administrators. It cannot show codes, because they are not stored.
enum ClaimListMethod {
  private static let schema = Schema.named(
    "ListedClaim",
    .object(
      .init("id", .string("")),
      .init("kind", .named("ClaimKind", .choice(AddressClaim.Kind.allCases.map(\.rawValue), ""))),
      .init("state", .named("ClaimState", .choice(AddressClaim.State.allCases.map(\.rawValue), ""))),
      .init("email", .email()), .init("uid", .integer("The uid that holds the claim.")),
      .init("origin", .string("The caller's identifier for the end user."), required: false),
      .init("createdAt", .time()),
      .init("expiresAt", .time()),
      .init("attempts", .integer("The number of wrong codes so far."))))

  static func make(_ administrator: Administrator, _ info: Reloadable<ServerInfo>) -> Method {
    Listing(
      name: "claim.list",
      about: "Lists the claims that have not expired, one page at a time.",
      member: "claims", element: schema, info: info, page: administrator.claims, position: \.id
    ) { claim, _, writer in
      writer.object { writer in
        writer.member("id", claim.id.description)
        writer.member("kind", claim.kind.rawValue)
        writer.member("state", claim.state.rawValue)
        writer.member("email", claim.email.typed)
        writer.member("uid", claim.uid)
        if let origin = claim.origin { writer.member("origin", origin.text) }
        writer.member("createdAt", claim.createdAt.rfc3339)
        writer.member("expiresAt", claim.expiresAt.rfc3339)
        writer.member("attempts", claim.attempts)
      }
    }.method
  }
}

extension ClaimID: ListPosition {
  static let after = Parameter(
    "after", .string, required: false, "The value of \"next\" from the previous page; omit it for the first page.")
  static let wrong = ParameterMessageKey.pageAfterClaim
}
