internal import JSONRPC
internal import Registration

/// `Claim` as callers see it: `{id, email, expiresAt, resendAt, codeDigits?}`.
enum ClaimReply {
  static let claim = Schema.named(
    "Claim",
    .object(
      .init("id", .string("Not to be guessed; only the user that it was given to may use it.")),
      .init("email", .email()), .init("expiresAt", .time("Its end.")),
      .init("resendAt", .time("No mail is sent again before.")),
      .init(
        "codeDigits", .integer("12 where codes are guessed and this claim's is longer; else absent."), required: false))
  )
  static let schema = Schema.named("ClaimResult", .object(.init("claim", claim)))
  static let accountOrClaim = Schema.named(
    "AccountOrClaim",
    .object(
      .init("account", AccountReply.account, required: false), AccountReply.stamp(required: false),
      .init("claim", claim, required: false),
      about: "The account; or, where the address is to be proven first, the claim."))

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
