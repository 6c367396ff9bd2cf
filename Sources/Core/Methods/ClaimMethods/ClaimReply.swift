internal import JSONRPC
internal import Registration

/// Writes an `AddressClaim` as callers see it: `{id, email, expiresAt, resendAt, codeDigits?}`.
enum ClaimReply {
  static let claim = Schema.named(
    "Claim",
    .object(
      .init("id", .string("An id that cannot be guessed; only the user who received it may use it.")),
      .init("email", .email()), .init("expiresAt", .time("When the claim expires.")),
      .init("resendAt", .time("When claim.resend is allowed again.")),
      .init(
        "codeDigits", .integer("12 if the code is longer because of wrong guesses; otherwise absent."),
        required: false))
  )
  static let schema = Schema.named("ClaimResult", .object(.init("claim", claim)))
  static let accountOrClaim = Schema.named(
    "AccountOrClaim",
    .object(
      .init("account", AccountReply.account, required: false), AccountReply.stamp(required: false),
      .init("claim", claim, required: false),
      about: "The account, or the claim if the address is verified first."))

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
