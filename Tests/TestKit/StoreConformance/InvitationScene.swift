package import Registration
import TestDoubles

/// Invitations for tests, all made at `Fixtures.time` unless stated otherwise.
package enum InvitationScene {
  /// An invitation that is valid for a week.
  package static func invitation(
    _ email: String? = nil, domain: String? = nil, uses: Int = 1, at made: Int = 0, seconds: Int = 604_800,
    note: String? = nil, isMailed: Bool = false
  ) -> Invitation {
    Invitation(
      id: InvitationID(at: ClaimScene.time(made)),
      digest: InvitationDigest((0..<32).map { _ in UInt8.random(in: .min ... .max) }),
      email: email.map { ClaimScene.email($0) }, domain: domain, uses: uses, createdAt: ClaimScene.time(made),
      expiresAt: ClaimScene.time(made + seconds), note: note, by: 4_294_967_295, isMailed: isMailed)
  }

  /// The mail that contains the code of an invitation for an address.
  package static func mail(_ invitation: Invitation, at made: Int = 0) -> MailIntent {
    MailIntent(
      id: MailID(at: ClaimScene.time(made)), kind: .invitation,
      to: invitation.email ?? ClaimScene.email(ClaimScene.address), claim: nil, account: nil,
      invitation: invitation.id, language: "fr", uid: 0, origin: nil, createdAt: ClaimScene.time(made))
  }

  package static func account(
    _ email: String, _ state: Account.State = .active, at made: Int = 0, terms: String? = nil
  ) -> StoredAccount {
    var stored = Fixtures.account(email, state: state, time: ClaimScene.time(made))
    stored.account.terms = terms.map { AcceptedTerms(version: $0, acceptedAt: ClaimScene.time(made)) }
    return stored
  }
}

extension StoreUnderTest {
  /// Adds invitations, and expects that none of them is refused.
  package func invite(_ invitations: Invitation...) async throws {
    for invitation in invitations {
      let mail = invitation.isMailed ? InvitationScene.mail(invitation) : nil
      try same(try await add(invitation, mail, Stamp(invitation.createdAt)), .added, "an invitation")
    }
  }

  /// Registers an address with an invitation.
  @discardableResult
  package func register(
    _ email: String, _ state: Account.State = .active, with invitation: Invitation, at seconds: Int = 1
  ) async throws -> InsertAnswer {
    try await insert(
      InvitationScene.account(email, state, at: seconds), request: nil, Admission(invitation: invitation.id),
      ClaimScene.stamp(seconds))
  }

  @discardableResult
  package func add(_ claim: AddressClaim, with invitation: Invitation, at seconds: Int) async throws -> ClaimAnswer {
    let by = Requester(uid: claim.uid, pid: 8, origin: claim.origin)
    return try await add(
      claim, ClaimScene.mail(claim), invitation: invitation.id, Stamp(ClaimScene.time(seconds), by: by))
  }

  package func counted(_ invitation: Invitation, at seconds: Int) async throws -> CountedInvitation? {
    let all = try await invitations(after: nil, limit: 100, at: ClaimScene.time(seconds))
    return all.first { $0.invitation.id == invitation.id }
  }

  /// Fails unless accounts have taken `used` uses of the invitation, and claims hold `held` uses.
  package func expect(_ invitation: Invitation, used: Int, held: Int, at seconds: Int, _ what: String) async throws {
    let found = try some(try await counted(invitation, at: seconds))
    try same([found.used, found.held], [used, held], "used and held, \(what)")
  }
}
