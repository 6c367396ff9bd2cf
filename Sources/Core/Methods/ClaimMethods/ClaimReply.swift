internal import JSONRPC
internal import Registration

/// Writes an `AddressClaim` as callers see it: `{id, email, expiresAt, resendAt, codeDigits?}`.
enum ClaimReply {
  static let claim = Schema.named(
    "Claim",
    .object(
      .init("id", .string("Cannot be guessed; only the user that got it may use it.")),
      .init("email", .email()), .init("expiresAt", .time("When it expires.")),
      .init("resendAt", .time("Until then no mail is sent again.")),
      .init(
        "codeDigits", .integer("12 if this claim's code is longer, because codes were guessed; else absent."),
        required: false))
  )
  static let schema = Schema.named("ClaimResult", .object(.init("claim", claim)))
  static let accountOrClaim = Schema.named(
    "AccountOrClaim",
    .object(
      .init("account", AccountReply.account, required: false), AccountReply.stamp(required: false),
      .init("claim", claim, required: false),
      about: "The account; or the claim, if the address is to be proven first."))

  static func reply(_ claim: AddressClaim) -> Reply {
    .object { writer in
      writer.name("claim")
      write(claim, to: &writer)
    }
  }

  static func write(_ claim: AddressClaim, to writer: inout JSONWriter) { write(FormClaim(claim), to: &writer) }

  static func write(_ claim: FormClaim, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", claim.id.description)
      writer.member("email", claim.email.typed)
      writer.member("expiresAt", claim.expiresAt.rfc3339)
      writer.member("resendAt", claim.resendAt.rfc3339)
      if claim.digits == CodeBounds.longDigits { writer.member("codeDigits", claim.digits) }
    }
  }
}
