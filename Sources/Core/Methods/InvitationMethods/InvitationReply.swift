internal import JSONRPC
internal import Registration

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
