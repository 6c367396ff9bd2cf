internal import JSONRPC
internal import Localization
internal import Registration
internal import WireProtocols

/// `claim.list`: lists claims (requests to prove an address by a mailed code) that have not expired, in the order of
/// their ids, for administrators. It cannot show codes, because they are not stored.
enum ClaimListMethod {
  private static let schema = Schema.named(
    "ListedClaim",
    .object(
      .init("id", .string("")),
      .init("kind", .named("ClaimKind", .choice(AddressClaim.Kind.allCases.map(\.rawValue), ""))),
      .init("state", .named("ClaimState", .choice(AddressClaim.State.allCases.map(\.rawValue), ""))),
      .init("email", .email()), .init("uid", .integer("The uid that holds the claim.")),
      .init("origin", .string("The caller's identifier for the end user."), required: false),
      .init("createdAt", .time()),
      .init("expiresAt", .time()),
      .init("attempts", .integer("The number of wrong codes so far."))))

  static func make(_ administrator: Administrator, _ info: Reloadable<ServerInfo>) -> Method {
    Listing(
      name: "claim.list",
      about: "Lists the claims that have not expired, one page at a time.",
      member: "claims", element: schema, info: info, page: administrator.claims, position: \.id
    ) { claim, _, writer in
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
    }.method
  }
}

extension ClaimID: ListPosition {
  static let after = Parameter(
    "after", .string, required: false, "The value of \"next\" from the previous page; omit it for the first page.")
  static let wrong = ParameterMessageKey.pageAfterClaim
}
