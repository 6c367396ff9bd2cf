package import Registration
import TestDoubles

/// Claims and mails for tests, all at one address unless stated otherwise.
package enum ClaimScene {
  package static let address = "name@example.com"

  /// This many seconds after `Fixtures.time`.
  package static func time(_ seconds: Int) -> Timestamp { Fixtures.time.advanced(by: .seconds(seconds)) }

  package static func stamp(_ seconds: Int, uid: UInt32 = 7, origin: String? = nil) -> Stamp {
    Stamp(time(seconds), by: Requester(uid: uid, pid: 8, origin: origin.flatMap { Origin($0) }))
  }

  package static func email(_ text: String) -> EmailAddress { Fixtures.account(text).account.email }

  /// A claim that was made at `made` and is valid for a day.
  package static func claim(
    _ kind: AddressClaim.Kind = .registration, _ email: String = address, of account: AccountID? = nil,
    uid: UInt32 = 7, origin: String? = nil, request: String? = nil, language: String? = nil, at made: Int = 0,
    seconds: Int = 86_400, state: AddressClaim.State = .open, hash: String? = nil,
    epoch: SessionEpoch = SessionEpoch(stored: nil), isConcealed: Bool = false
  ) -> AddressClaim {
    let hash = hash ?? (kind == .registration ? "hash of the claim" : nil)
    return AddressClaim(
      id: ClaimID(), kind: kind, email: Self.email(email), account: account ?? AccountID(at: time(made)),
      passwordHash: hash.map { PasswordHash(phc: $0) }, uid: uid,
      origin: origin.flatMap { Origin($0) }, request: request.flatMap { RequestKey(uid: uid, id: $0) },
      language: language, createdAt: time(made), expiresAt: time(made + seconds), digits: 6, state: state,
      codeUntil: time(made + 900), resendAt: time(made + 60), epoch: epoch,
      isConcealed: isConcealed)
  }

  /// The mail that comes with a claim.
  ///
  /// - Parameter id: The claim that the mail belongs to, or nil for `claim`.
  package static func mail(_ claim: AddressClaim, of id: ClaimID? = nil, isKnown: Bool = false) -> MailIntent {
    let kind: MailKind =
      switch claim.kind {
      case .registration: .registrationCode
      case .recovery: .recoveryCode
      case .changeOfEmail: .changeCode
      }
    return MailIntent(
      id: MailID(at: claim.createdAt), kind: kind, to: claim.email, claim: id ?? claim.id, account: claim.account,
      language: claim.language, uid: claim.uid, origin: claim.origin, createdAt: claim.createdAt,
      isKnown: isKnown)
  }

  /// A mail that belongs to no claim.
  package static func notice(
    _ kind: MailKind = .passwordChanged, _ email: String = address, of account: AccountID? = nil, uid: UInt32 = 7,
    origin: String? = nil, at made: Int = 0, isWanted: Bool = true, isProven: Bool = true
  ) -> MailIntent {
    MailIntent(
      id: MailID(at: time(made)), kind: kind, to: Self.email(email), claim: nil, account: account, language: nil,
      uid: uid, origin: origin.flatMap { Origin($0) }, createdAt: time(made), isWanted: isWanted,
      isProven: isProven)
  }

  /// The account that a registration's claim makes.
  package static func account(_ claim: AddressClaim, _ state: Account.State = .active, at made: Int) -> StoredAccount {
    StoredAccount(
      account: Account(
        id: claim.account, email: claim.email, state: state, createdAt: time(made), updatedAt: time(made)),
      passwordHash: claim.passwordHash ?? PasswordHash(phc: ""))
  }

  package static func guess(_ isRight: Bool, generation: Int = 1, attempts: Int = 5) -> CodeGuess {
    CodeGuess(isRight: isRight, generation: generation, attempts: attempts)
  }
}

extension StoreUnderTest {
  /// Adds a claim and its mail, at the time when the claim was made.
  @discardableResult
  func add(_ claim: AddressClaim) async throws(StoreFailure) -> ClaimAnswer {
    try await add(claim, ClaimScene.mail(claim), Stamp(claim.createdAt, by: Requester(uid: claim.uid, pid: 8)))
  }

  /// Adds claims, and expects that none of them is refused.
  func addAll(_ claims: AddressClaim...) async throws {
    for claim in claims { try same(try await add(claim), .added, "\(claim.kind) of \(claim.email.typed)") }
  }

  func state(_ claim: AddressClaim, at seconds: Int) async throws(StoreFailure) -> AddressClaim.State? {
    try await find(claim.id, at: ClaimScene.time(seconds))?.state
  }
}
