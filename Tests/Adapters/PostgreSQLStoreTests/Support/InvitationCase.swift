import RegdProcesses
import Registration
import TestDoubles
import TestKit

@testable import PostgreSQLStore

/// Invitations for tests of PostgreSQL's own behaviour.
enum InvitationCase {
  static func invitation(_ email: String? = nil, uses: Int = 1, seconds: Int = 604_800) -> Invitation {
    Invitation(
      id: InvitationID(at: Fixtures.time),
      digest: InvitationDigest((0..<32).map { _ in UInt8.random(in: .min ... .max) }),
      email: email.map { EmailAddress(stored: $0, key: EmailKey($0.lowercased())) }, domain: nil, uses: uses,
      createdAt: Fixtures.time, expiresAt: Fixtures.time.advanced(by: .seconds(seconds)), note: nil, by: 0,
      isMailed: email != nil)
  }

  static func mail(_ invitation: Invitation) -> MailIntent {
    let nobody = EmailAddress(stored: "nobody@example.com", key: EmailKey("nobody@example.com"))
    return MailIntent(
      id: MailID(at: Fixtures.time), kind: .invitation, to: invitation.email ?? nobody, claim: nil, account: nil,
      invitation: invitation.id, language: "en", uid: 0, origin: nil, createdAt: Fixtures.time)
  }
}

extension StoreUnderTest {
  func invite(_ email: String? = nil, uses: Int = 1) async throws -> Invitation {
    let invitation = InvitationCase.invitation(email, uses: uses)
    guard try await add(invitation, nil, ClaimCase.stamp()) == .added else {
      throw ProgramFailure(description: "not invited")
    }
    return invitation
  }

  func register(
    _ email: String, _ state: Account.State = .active, with invitation: Invitation, at seconds: Int = 0
  ) async throws(StoreFailure) -> InsertAnswer {
    try await insert(
      Fixtures.account(email, state: state), request: nil, Admission(invitation: invitation.id),
      ClaimCase.stamp(seconds))
  }

  func add(
    _ claim: AddressClaim, with invitation: Invitation, at seconds: Int = 0
  ) async throws(StoreFailure) -> ClaimAnswer {
    let stamp = ClaimCase.stamp(seconds, uid: claim.uid, origin: claim.origin?.text)
    return try await add(claim, ClaimCase.mail(claim), invitation: invitation.id, stamp)
  }

  func counted(_ invitation: Invitation, at seconds: Int = 0) async throws(StoreFailure) -> CountedInvitation? {
    let now = ClaimCase.stamp(seconds).time
    return try await invitations(after: nil, limit: 999, at: now).first { $0.invitation.id == invitation.id }
  }
}
