import Registration
import TestDoubles

@testable import PostgreSQLStore

/// Claims for tests of PostgreSQL's own behaviour.
enum ClaimCase {
  static func stamp(_ seconds: Int = 0, uid: UInt32 = 1, origin: String? = nil) -> Stamp {
    Stamp(
      Fixtures.time.advanced(by: .seconds(seconds)),
      by: Requester(uid: uid, pid: 2, origin: origin.flatMap { Origin($0) }))
  }

  static func claim(
    _ email: String, _ kind: AddressClaim.Kind = .registration, account: AccountID? = nil, uid: UInt32 = 1,
    origin: String? = nil, request: String? = nil, seconds: Int = 86_400
  ) -> AddressClaim {
    let time = Fixtures.time
    return AddressClaim(
      id: ClaimID(), kind: kind, email: EmailAddress(stored: email, key: EmailKey(email.lowercased())),
      account: account ?? AccountID(at: time), passwordHash: kind == .registration ? PasswordHash(phc: "hash") : nil,
      uid: uid, origin: origin.flatMap { Origin($0) }, request: request.flatMap { RequestKey(uid: uid, id: $0) },
      language: "en", createdAt: time, expiresAt: time.advanced(by: .seconds(seconds)), digits: 6, state: .open,
      codeUntil: time.advanced(by: .seconds(900)), resendAt: time.advanced(by: .seconds(60)))
  }

  static func mail(_ claim: AddressClaim) -> MailIntent {
    MailIntent(
      id: MailID(at: Fixtures.time), kind: .registrationCode, to: claim.email, claim: claim.id,
      account: claim.kind == .registration ? nil : claim.account,
      language: claim.language, uid: claim.uid, origin: claim.origin, createdAt: Fixtures.time)
  }

  /// The active account that proves a claim.
  static func account(_ claim: AddressClaim) -> StoredAccount {
    StoredAccount(
      account: Account(
        id: claim.account, email: claim.email, state: .active, createdAt: Fixtures.time, updatedAt: Fixtures.time),
      passwordHash: PasswordHash(phc: "hash"))
  }

  static let wrong = CodeGuess(isRight: false, generation: 1, attempts: 5)
  static let right = CodeGuess(isRight: true, generation: 1, attempts: 5)
}

extension StoreUnderTest {
  /// Adds a claim and its mail.
  func add(_ claim: AddressClaim) async throws(StoreFailure) -> ClaimAnswer {
    try await add(claim, ClaimCase.mail(claim), ClaimCase.stamp(uid: claim.uid, origin: claim.origin?.text))
  }
}
