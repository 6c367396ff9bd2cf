internal import JSONRPC
internal import Reasons
internal import Registration

/// `session.check`: checks by the stamp of a sign-in's reply whether the sign-in is still valid. A missing account, an
/// outdated stamp and a string that is not a stamp get the same answer.
enum SessionCheckMethod {
  private static let account = Parameter(
    "account", .string, required: true, "The id of the account that signed in.", .uuid)
  private static let stamp = Parameter(
    "stamp", .string, required: true, "The stamp from the reply to the sign-in.")

  static func make(_ registrar: Reloadable<Registrar>) -> Method {
    Method(
      "session.check", "Returns the account of a sign-in, if the sign-in is still valid.",
      parameters: [account, stamp], result: AccountReply.schema, errors: [.sessionEnded] + ErrorReason.ofStore,
      repetition: .yes,
      .lookingUp { parameters, _ throws(RPCError) in
        let (account, stamp) = (parameters[account]?.string ?? "", parameters[stamp]?.string ?? "")
        return { _ in OutcomeReplies.reply(to: await registrar.value.checkSession(of: account, stamp)) }
      })
  }
}
