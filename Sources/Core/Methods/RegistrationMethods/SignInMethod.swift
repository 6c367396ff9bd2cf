internal import JSONRPC
internal import Registration

/// `session.signIn`: an unknown address and a wrong password get the same answer after the same work.
enum SignInMethod {
  /// The most bytes of an address as a JSON string: six for each escape, for four times the 256 of RFC 5321 §4.5.3.1.3.
  private static let longestAddress = 6144

  private static let email = Parameter("email", .string, required: true, "The e-mail address as it was typed.")
  private static let password = Parameter("password", .string, required: true, "The password as it was typed.")

  static func make(_ registrar: Live<Registrar>, _ normalizer: any TextNormalizer) -> Method {
    Method(
      "session.signIn", "Says whose account an address and a password are.",
      parameters: [email, password, OriginParameter.parameter, .language],
      result: .object(
        .init("account", AccountReply.account), AccountReply.stamp(required: true), AccountReply.toAccept),
      errors: [.credentialsRejected, .accountDisabled, .accountPending, .accountWaiting, .rateLimited, .busy]
        + ErrorReason.ofNetwork + ErrorReason.ofStore,
      .suspending { parameters, session throws(RPCError) in
        let requester = try OriginParameter.requester(parameters, session.caller)
        // a text that is too long for an address is dropped before the request waits
        let email = parameters[email].flatMap { $0.source.count <= longestAddress ? $0.string : nil } ?? ""
        let password = parameters[password]?.password(normalizer) ?? Password(utf8: [])
        return { _ in
          let registrar = registrar.value
          let outcome = await registrar.signIn(email: email, password: password, by: requester)
          return OutcomeReplies.reply(to: outcome, registrar.rules.terms, registrar.stamps)
        }
      })
  }
}
