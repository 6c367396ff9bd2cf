package import JSONRPC
internal import Reasons
package import Registration

/// `session.signIn`: checks an address and a password. An unknown address and a wrong password get the same answer after the
/// same work.
package enum SignInMethod {
  /// The most bytes of an address as a JSON string: 4 × 256 characters, four times the limit of RFC 5321 §4.5.3.1.3,
  /// each as an escape of six bytes.
  private static let longestAddress = 6144

  private static let email = Parameter("email", .string, required: true, "The email address as the end user typed it.")
  private static let password = Parameter("password", .string, required: true, "The password as the end user typed it.")

  private static let groups = GroupParameters.optional(
    "The account must be in one of these groups (at most 64). If the list is [] or null, there is no condition.")

  /// - Parameter gate: The door through which all callers of this method come, or nil for regd's own socket.
  package static func make(
    _ registrar: Reloadable<Registrar>, _ normalizer: any TextNormalizer, behind gate: SignInGate? = nil
  ) -> Method {
    Method(
      "session.signIn", "Checks an email address and a password, and returns the account to which they belong.",
      parameters: [email, password, OriginParameter.parameter, .language, groups],
      result: .object(
        .init("account", AccountReply.account), AccountReply.stamp(required: true), AccountReply.toAccept),
      errors: [
        .credentialsRejected, .accountDisabled, .accountPending, .accountWaiting, .groupRequired, .rateLimited, .busy,
      ]
        + ErrorReason.ofNetwork + ErrorReason.ofStore, repetition: .yes,
      .suspending { parameters, session throws(RPCError) in
        let requester = try OriginParameter.requester(parameters, session.caller)
        // a text that is too long for an address is dropped before the request waits
        let email = parameters[email].flatMap { $0.source.count <= longestAddress ? $0.string : nil } ?? ""
        let password = parameters[password]?.password(normalizer) ?? Password(utf8: [])
        let groups = try GroupParameters.read(parameters[groups])
        return { _ in
          let registrar = registrar.value
          // a password with a NUL is wrong at every door, because the C strings of many programs end there
          let isTyped = gate == nil || !password.withBytes { $0.contains(0) }
          guard isTyped, let email = gate == nil ? email : gate?.address(email) else {
            let reply = OutcomeReplies.reply(to: SignInOutcome.refused(.rejected), nil, nil)
            gate?.report(reply, by: requester)
            return reply
          }
          let outcome = await registrar.signIn(
            email: email, password: password, by: requester,
            requiring: GroupRequirement(gate?.groups ?? [], groups))
          let reply = OutcomeReplies.reply(to: outcome, registrar.rules.terms, registrar.stamps)
          gate?.report(reply, by: requester)
          return reply
        }
      })
  }
}

/// The hooks of a door (a listening point besides regd's own socket) in `session.signIn`: they complete the address and
/// write refusals to the journal.
package struct SignInGate: Sendable {
  /// Returns the address that belongs to a login name, or nil if that login cannot sign in here.
  package let address: @Sendable (String) -> String?
  /// Only members of at least one of these groups sign in here. If the list is empty, all accounts may.
  package let groups: [GroupName]
  package let refused: RefusalObserver

  package init(
    address: @escaping @Sendable (String) -> String?, groups: [GroupName] = [], refused: @escaping RefusalObserver
  ) {
    (self.address, self.groups, self.refused) = (address, groups, refused)
  }

  fileprivate func report(_ reply: Reply, by requester: Requester) {
    guard case .error(let error) = reply, error.reason.isDueToCaller else { return }
    refused(RefusedAttempt(method: "session.signIn", reason: error.reason.name, requester: requester))
  }
}

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
