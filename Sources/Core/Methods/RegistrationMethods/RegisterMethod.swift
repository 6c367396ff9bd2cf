package import JSONRPC
internal import Localization
internal import Reasons
package import Registration
internal import WireProtocols

/// `registration.register`: makes one account per address, and stores it durably before the reply. A repeat with the
/// same request id makes no second account.
package enum RegisterMethod {
  /// The method at a door where only members of groups sign in. It returns the stamp of a sign-in only to them.
  package static func make(
    _ registrar: Reloadable<Registrar>, _ normalizer: any TextNormalizer, stampFor groups: GroupRequirement,
    refused: @escaping RefusalObserver
  ) -> Method {
    make(registrar, normalizer, stampFor: groups).reporting(to: refused)
  }

  static func make(
    _ registrar: Reloadable<Registrar>, _ normalizer: any TextNormalizer,
    stampFor groups: GroupRequirement = GroupRequirement()
  ) -> Method {
    Method(
      "registration.register", "Registers an account, or starts a claim if addresses are verified first.",
      parameters: EntryParameters.all + [RequestKeyParameter.optional, OriginParameter.parameter, .language]
        + EntryParameters.admission,
      result: ClaimReply.accountOrClaim,
      errors: [
        .validationFailed, .emailTaken, .requestConflict, .registrationClosed, .invitationRejected, .rateLimited, .busy,
      ] + ErrorReason.ofNetwork + ErrorReason.ofStore, repetition: .withRequestID,
      .suspending { parameters, session throws(RPCError) in
        let request = try RequestKeyParameter.read(parameters, session.caller)
        let requester = try OriginParameter.requester(parameters, session.caller)
        let language = session.ranges(for: parameters.language)
        let entry = EntryParameters.read(parameters, normalizer)
        let begun = ContinuousClock.now
        return { cancellation in
          let registrar = registrar.value
          let outcome = await registrar.register(
            entry, request: request, language: language, by: requester, mayCommit: cancellation.beginCommit)
          await MinimumResponseTime.pass(since: begun, with: outcome)
          var stamps = registrar.stamps
          if case .registered(let account) = outcome, !groups.isMet(by: account.groups) { stamps = nil }
          return OutcomeReplies.reply(to: outcome, stamps)
        }
      })
  }
}

/// `registration.status`: tells the state of the registration for which the caller chose this `requestId`.
enum RegistrationStatusMethod {
  static func make(_ registrar: Reloadable<Registrar>) -> Method {
    Method(
      "registration.status", "Returns the state of the registration with this requestId.",
      parameters: [RequestKeyParameter.required],
      result: .object(
        .init("state", .choice(["active", "pending", "waiting", "claimed", "unknown"], "")),
        .init("account", AccountReply.account, required: false)),
      errors: ErrorReason.ofStore, repetition: .yes,
      .lookingUp { parameters, session throws(RPCError) in
        guard let request = try RequestKeyParameter.read(parameters, session.caller) else { throw .internal }
        return { _ async in await OutcomeReplies.storing(reply(try await registrar.value.status(of: request))) }
      })
  }

  private static func reply(_ status: RequestStatus) -> Reply {
    let (state, account): (StaticString, Account?) =
      switch status {
      case .active(let account): ("active", account)
      case .pending(let account): ("pending", account)
      case .waiting(let account): ("waiting", account)
      case .claimed: ("claimed", nil)
      case .unknown: ("unknown", nil)
      }
    return .object { writer in
      writer.member("state", state)
      guard let account else { return }
      writer.name("account")
      AccountReply.write(account, to: &writer)
    }
  }
}

/// `requestId`: the caller's own name for a registration.
enum RequestKeyParameter {
  static let optional = Parameter(
    "requestId", .string, required: false,
    "The caller's identifier for this registration. A repeat with the same identifier gets the same reply.",
    .length(1, 255)
  )
  static let required = Parameter(
    "requestId", .string, required: true, "The identifier that the caller gave to the registration.", .length(1, 255)
  )

  static func read(_ parameters: borrowing Parameters, _ caller: Peer) throws(RPCError) -> RequestKey? {
    guard let text = parameters[optional]?.string else { return nil }
    guard let request = RequestKey(uid: caller.uid, id: text) else {
      throw .invalidParams(
        LocalizedMessage(ParameterMessageKey.requestID, ["maximum": .number(RequestKey.maximumLength)]),
        field: "requestId")
    }
    return request
  }
}
