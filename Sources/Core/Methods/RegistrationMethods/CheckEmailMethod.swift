package import JSONRPC
internal import Reasons
package import Registration
internal import WireProtocols

/// `registration.checkEmail`: tells whether the address is free. If regd cannot find out, the reply is an error, never
/// a guess.
package enum CheckEmailMethod {
  private static let email = Parameter("email", .string, required: false, "The email address as the end user typed it.")

  /// - Parameter mayAsk: Whether all callers may ask with `registration.conceal`, because they come through a door whose
  ///   peers the operator has named for that.
  package static func make(_ registrar: Reloadable<Registrar>, mayAsk: Bool = false) -> Method {
    Method(
      "registration.checkEmail", "Returns whether an address can be registered now.",
      parameters: [email],
      result: .object(.init("available", .boolean("Whether the address can be registered now."))),
      errors: [.validationFailed] + ErrorReason.ofNetwork + ErrorReason.ofStore, repetition: .yes,
      .lookingUp { parameters, session throws(RPCError) in
        // With `registration.conceal`, no method reveals to a caller whether an address is taken. Only administrators
        // may ask.
        guard mayAsk || session.access == .admin || !registrar.with({ $0.verification.conceals }) else {
          throw .accessDenied("registration.checkEmail", needs: .admin, uid: session.caller.uid)
        }
        let typed = parameters[email]?.string
        let share = session.caller.requester.share
        return { _ in OutcomeReplies.reply(to: await registrar.value.checkAvailability(typed, for: share)) }
      })
  }
}
