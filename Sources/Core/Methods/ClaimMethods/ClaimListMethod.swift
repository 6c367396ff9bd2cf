internal import Dialogues
internal import JSONRPC
internal import Registration
internal import Sentences

/// `claim.list`: all living claims in the order of their ids, page by page, for administrators. It shows no code, because codes
/// are not stored.
enum ClaimListMethod {
  private static let after = Parameter(
    "after", .string, required: false, "The id of the last claim of the page before.")

  private static let schema = Schema.object(
    .init("id", .string("")), .init("kind", .choice(AddressClaim.Kind.allCases.map(\.rawValue), "")),
    .init("state", .choice(AddressClaim.State.allCases.map(\.rawValue), "")),
    .init("email", .string("As it was typed.")),
    .init("uid", .integer("Whose it is.")), .init("origin", .string("For whom."), required: false),
    .init("createdAt", .string("RFC 3339, UTC.")), .init("expiresAt", .string("The same.")),
    .init("attempts", .integer("Wrong codes so far.")))

  static func make(_ administrator: Administrator) -> Method {
    Method(
      "claim.list", "Lists claims of addresses that are still to be proven or were proven, a page at a time.",
      access: .admin,
      parameters: [after, PageParameters.limit],
      result: .object(
        .init("claims", .array(schema, "")),
        .init("next", .string("The \"after\" of the next page; absent on the last."), required: false)),
      errors: ErrorReason.ofStore,
      .suspending { parameters, _ throws(RPCError) in
        let text = parameters[after]?.string
        let id = text.flatMap { ClaimID($0) }
        guard text == nil || id != nil else {
          throw .invalidParams(Sentence(ParameterSentence.pageAfterClaim), field: "after")
        }
        let limit = try PageParameters.limit(parameters)
        return { _ async in
          await OutcomeReplies.storing(reply(try await administrator.claims(after: id, limit: limit)))
        }
      })
  }

  private static func reply(_ page: Page<AddressClaim>) -> Reply {
    .object { writer in
      writer.array("claims") { writer in
        for claim in page.elements { write(claim, to: &writer) }
      }
      if page.hasMore, let last = page.elements.last { writer.member("next", last.id.description) }
    }
  }

  private static func write(_ claim: AddressClaim, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", claim.id.description)
      writer.member("kind", claim.kind.rawValue)
      writer.member("state", claim.state.rawValue)
      writer.member("email", claim.email.typed)
      writer.member("uid", claim.uid)
      if let origin = claim.origin { writer.member("origin", origin.text) }
      writer.member("createdAt", claim.createdAt.rfc3339)
      writer.member("expiresAt", claim.expiresAt.rfc3339)
      writer.member("attempts", claim.attempts)
    }
  }
}
