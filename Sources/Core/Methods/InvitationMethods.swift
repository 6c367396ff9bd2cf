internal import JSONRPC
internal import Localization
internal import Reasons
internal import Registration
internal import WireProtocols

/// `invitation.create`, `invitation.list` and `invitation.revoke`: operations of administrators on invitations.
enum InvitationMethods {
  static func all(_ administrator: Administrator, _ info: Reloadable<ServerInfo>) -> [Method] {
    [create(administrator), list(administrator, info), revoke(administrator)]
  }

  private static let email = Parameter(
    "email", .string, required: false, "The only address that may use the invitation (default: any).")
  private static let domain = Parameter(
    "domain", .string, required: false,
    "Only addresses in this domain, not in subdomains, may use the invitation (default: any); a leading @ is ignored.")
  private static let uses = Parameter(
    "uses", .integer, required: false,
    "How many accounts can be registered with the invitation: 1 to 100000 (default: 1). With email, it is always 1.",
    .between(1, Invitation.mostUses))
  private static let life = Parameter(
    "expiresSeconds", .integer, required: false,
    "How long the invitation is valid: 1 to 31536000 (default: registration.invitationSeconds).",
    .between(1, Invitation.longestLife))
  private static let note = Parameter(
    "note", .string, required: false, "A note for administrators, up to 256 bytes.",
    .length(0, Invitation.longestNote))
  private static let send = Parameter(
    "send", .boolean, required: false, "Mails the code to the email instead of returning it.")

  private static let groups = GroupParameters.optional(
    "The groups of each account that is registered with the invitation (at most 64).")

  private static func create(_ administrator: Administrator) -> Method {
    Method(
      "invitation.create", "Creates an invitation, and returns its code or mails it.", access: .admin,
      parameters: [email, domain, uses, life, note, send, .language, groups], result: InvitationReply.created,
      errors: [.validationFailed, .emailTaken, .rateLimited, .featureOff] + ErrorReason.ofStore,
      .suspending { parameters, session throws(RPCError) in
        let draft = try draft(parameters, language: session.ranges(for: parameters.language))
        let requester = session.caller.requester
        return { cancellation in
          OutcomeReplies.reply(
            to: await administrator.invite(draft, by: requester, mayCommit: cancellation.beginCommit))
        }
      })
  }

  private static func draft(
    _ parameters: borrowing Parameters, language: String?
  ) throws(RPCError) -> InvitationDraft {
    var draft = InvitationDraft(
      email: parameters[email]?.string, domain: parameters[domain]?.string, note: parameters[note]?.string,
      isMailed: parameters[send]?.kind == .true, language: language,
      groups: try GroupParameters.groups(parameters[groups]))
    if let typed = parameters[uses] {
      draft.uses = try read(typed, uses, .invitationUses, Invitation.mostUses)
    }
    if let typed = parameters[life] {
      draft.life = .seconds(try read(typed, life, .invitationLife, Invitation.longestLife))
    }
    if draft.email != nil, draft.domain != nil { throw refusal(.invitationTwice, domain) }
    if draft.email != nil, draft.uses != 1 { throw refusal(.invitationUsesOfOne, uses) }
    if draft.email == nil, draft.isMailed { throw refusal(.invitationSend, send) }
    if let typed = draft.note, typed.utf8.count > Invitation.longestNote || typed.utf8.contains(0) {
      throw refusal(.invitationNote, note, ["limit": .number(Invitation.longestNote)])
    }
    return draft
  }

  private static func read(
    _ view: JSONView, _ parameter: Parameter, _ sentence: ParameterMessageKey, _ maximum: Int
  ) throws(RPCError) -> Int {
    guard let number = view.integer, (1...maximum).contains(Int(number)) else {
      throw refusal(sentence, parameter, ["maximum": .number(maximum)])
    }
    return Int(number)
  }

  private static func refusal(
    _ sentence: ParameterMessageKey, _ parameter: Parameter,
    _ values: KeyValuePairs<String, LocalizedMessage.Content> = [:]
  ) -> RPCError {
    .invalidParams(LocalizedMessage(sentence, values), field: "\(parameter.name)")
  }

  private static func list(_ administrator: Administrator, _ info: Reloadable<ServerInfo>) -> Method {
    Listing(
      name: "invitation.list", about: "Lists invitations in the order of their ids, one page at a time.",
      member: "invitations", element: InvitationReply.invitation, info: info, page: administrator.invitations,
      position: \.invitation.id
    ) { counted, _, writer in
      InvitationReply.write(counted, to: &writer)
    }.method
  }

  private static let id = Parameter("id", .string, required: true, "The UUID of the invitation.", .uuid)

  private static func revoke(_ administrator: Administrator) -> Method {
    Method(
      "invitation.revoke", "Ends an invitation and the claims that reserve a use of it.",
      access: .admin, parameters: [id], result: InvitationReply.schema,
      errors: [.invitationNotFound] + ErrorReason.ofStore, repetition: .yes,
      .suspending { parameters, session throws(RPCError) in
        guard let id = parameters[id]?.string.flatMap({ InvitationID($0) }) else {
          throw refusal(.invitationID, id)
        }
        let requester = session.caller.requester
        return { cancellation in
          OutcomeReplies.reply(to: await administrator.revoke(id, by: requester, mayCommit: cancellation.beginCommit))
        }
      })
  }
}

/// Writes an `Invitation` as administrators see it. Only the reply to `invitation.create` has the code.
enum InvitationReply {
  static let invitation = Schema.named(
    "Invitation",
    .object(
      .init("id", .uuid("The id of the invitation; it does not admit anyone.")),
      .init("email", .email("The only address that may use the invitation, as typed."), required: false),
      .init("domain", .string("The only domain that may use the invitation, in A-labels."), required: false),
      .init("uses", .integer("How many accounts can be registered with the invitation.")),
      .init("used", .integer("How many accounts the invitation has admitted.")),
      .init("held", .integer("How many uses open claims reserve.")),
      .init("createdAt", .time()), .init("expiresAt", .time()),
      .init("revokedAt", .time("When the invitation was revoked; absent if it was not."), required: false),
      .init("note", .string("The note as typed."), required: false),
      .init("by", .integer("The uid of the administrator who created it.")),
      .init("groups", AccountReply.groups, required: false)))
  static let schema = Schema.named("InvitationResult", .object(.init("invitation", invitation)))
  static let created = Schema.object(
    .init("invitation", invitation),
    .init("code", .string("The code, which no later reply contains; absent if it was mailed."), required: false))

  /// - Parameter code: The code, if this call has made the invitation and the caller may know the code, otherwise nil.
  static func reply(_ invitation: CountedInvitation, _ code: InvitationCode? = nil) -> Reply {
    .object { writer in
      writer.name("invitation")
      write(invitation, to: &writer)
      if let code { writer.member("code", code.description) }
    }
  }

  static func write(_ counted: CountedInvitation, to writer: inout JSONWriter) {
    let invitation = counted.invitation
    writer.object { writer in
      writer.member("id", invitation.id.description)
      if let email = invitation.email { writer.member("email", email.typed) }
      if let domain = invitation.domain { writer.member("domain", domain) }
      writer.member("uses", invitation.uses)
      writer.member("used", counted.used)
      writer.member("held", counted.held)
      writer.member("createdAt", invitation.createdAt.rfc3339)
      writer.member("expiresAt", invitation.expiresAt.rfc3339)
      if let revoked = invitation.revokedAt { writer.member("revokedAt", revoked.rfc3339) }
      if let note = invitation.note { writer.member("note", note) }
      writer.member("by", invitation.by)
      if !invitation.groups.isEmpty { AccountReply.write(invitation.groups, to: &writer) }
    }
  }
}
