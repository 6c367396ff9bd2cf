internal import JSONRPC
internal import Registration

/// `session.signIn`: the same answer after the same work for an unknown address and a wrong password.
enum SignInMethod {
  static func make(_ registrar: Registrar, _ normalizer: any TextNormalizer) -> Method {
    Method(
      "session.signIn", "Says whose account an address and a password are.",
      parameters: [
        Parameter("email", .string, required: true, "The e-mail address as it was typed."),
        Parameter("password", .string, required: true, "The password as it was typed."),
      ],
      result: AccountReply.schema,
      errors: [.credentialsRejected, .accountDisabled, .accountPending, .busy] + ErrorReason.ofStore,
      .suspending { parameters, _ in
        let email = parameters[0]?.string ?? ""
        let password = parameters[1]?.password(normalizer) ?? Password(utf8: [])
        return { _ in OutcomeReplies.reply(to: await registrar.signIn(email: email, password: password)) }
      })
  }
}
