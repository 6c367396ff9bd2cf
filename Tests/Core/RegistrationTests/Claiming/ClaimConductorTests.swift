import Sentences
import TestDoubles
import Testing

@testable import Registration

/// Dialogues with the conductors of claims that need concurrent callers or an administrator.
@Suite("Conductors of claims")
struct ClaimConductorTests {
  private static let terms = VerificationTerms(isRequired: true, hasMail: true)
  private static let user = ClaimDesk.user(7)
  private static let now = Fixtures.time
  private static let account = Fixtures.account("a@example.com")

  private static func claim(
    _ kind: AddressClaim.Kind = .registration, _ state: AddressClaim.State = .open, _ terms: VerificationTerms = terms
  ) -> AddressClaim {
    var claim = ClaimDraft(terms, by: user, language: nil, now: now).claim(
      kind, account.account.email, account: account.account.id, hash: account.passwordHash,
      request: RequestKey(uid: 7, id: "r"), isDecoy: false)
    claim.state = state
    return claim
  }

  private static func proof(_ claim: AddressClaim, now: Timestamp = now) -> ProofConductor {
    ProofConductor(claim.id, code: "123456", terms, by: user, now: now)
  }

  private static func recovery(_ claim: AddressClaim, now: Timestamp = now) -> RecoveryFinish {
    RecoveryFinish(claim.id, code: "123456", terms, by: user, now: now, problems: { _ in [] })
  }

  @Test("if a resend has replaced the code since the claim was read, the code is compared with the current claim")
  func outdated() {
    let (registration, recovering) = (Self.claim(), Self.claim(.recovery))
    var proof = Self.proof(registration)
    #expect(proof.next(.guess(.foundClaim(registration))) == .guess(.compare("123456", registration)))
    _ = proof.next(.guess(.compared(true)))
    #expect(proof.next(.guess(.guessed(.outdated))) == .guess(.findClaim(registration.id)))
    var recovery = Self.recovery(recovering)
    #expect(recovery.next(.guess(.foundClaim(recovering))) == .guess(.compare("123456", recovering)))
    _ = recovery.next(.guess(.compared(true)))
    #expect(recovery.next(.guess(.guessed(.outdated))) == .guess(.findClaim(recovering.id)))
  }

  @Test("a hidden recovery looks gone until the store has answered a correct code, even if the store fails")
  func hidden() {
    var claim = Self.claim(.recovery)
    claim.isHidden = true
    func guessing() -> RecoveryFinish {
      var recovery = RecoveryFinish(
        claim.id, code: "123456", Self.terms, by: Self.user, now: Self.now,
        problems: { _ in [Problem(.password, .passwordTooShort, Sentence(RegistrationSentence.closed))] })
      #expect(recovery.next(.guess(.foundClaim(claim))) == .guess(.compare("123456", claim)))
      guard case .guess(.guess) = recovery.next(.guess(.compared(true))) else {
        Issue.record("the store is not asked")
        return recovery
      }
      return recovery
    }
    var recovery = guessing()
    #expect(recovery.next(.obstructed(.store(.full))) == .finish(.gone))
    recovery = guessing()
    #expect(recovery.next(.guess(.guessed(.wrong(attemptsLeft: 0)))) == .finish(.gone))
    recovery = guessing()
    guard case .finish(.obstructed(.invalid, _)) = recovery.next(.guess(.guessed(.right(claim)))) else {
      Issue.record("the owner does not learn that the password is too short")
      return
    }
    var proof = Self.proof(claim)
    #expect(proof.next(.guess(.foundClaim(claim))) == .finish(.gone), "costs no attempt")
  }

  @Test("a recovery cannot be verified as a registration, and a registration cannot be finished as a recovery")
  func kinds() {
    var proof = Self.proof(Self.claim(.recovery))
    #expect(proof.next(.guess(.foundClaim(Self.claim(.recovery)))) == .finish(.gone))
    var recovery = Self.recovery(Self.claim())
    #expect(recovery.next(.guess(.foundClaim(Self.claim()))) == .finish(.gone))
  }

  @Test("an account that was disabled after the claim was made gets neither a new address nor a new password")
  func disabled() {
    let disabled = Fixtures.account("a@example.com", state: .disabled)
    let (change, recovering) = (Self.claim(.changeOfEmail), Self.claim(.recovery))
    var proof = Self.proof(change)
    _ = proof.next(.guess(.foundClaim(change)))
    _ = proof.next(.guess(.compared(true)))
    #expect(proof.next(.guess(.guessed(.right(change)))) == .find(change.account))
    #expect(proof.next(.found(disabled)) == .finish(.gone))
    var recovery = Self.recovery(recovering)
    _ = recovery.next(.guess(.foundClaim(recovering)))
    _ = recovery.next(.guess(.compared(true)))
    #expect(recovery.next(.guess(.guessed(.right(recovering)))) == .find(recovering.account))
    #expect(recovery.next(.found(disabled)) == .finish(.gone))
  }

  @Test(
    "the code of a verified claim is valid until the claim expires, the code of an open claim until the code expires")
  func lives() {
    let late = Self.now.advanced(by: Self.terms.code)
    var proof = Self.proof(Self.claim(), now: late)
    #expect(proof.next(.guess(.foundClaim(Self.claim()))) == .finish(.codeRejected(attemptsLeft: 5)))
    let proven = Self.claim(.registration, .proven)
    var repeated = Self.proof(proven, now: late)
    #expect(repeated.next(.guess(.foundClaim(proven))) == .guess(.compare("123456", proven)))
    var recovery = Self.recovery(Self.claim(.recovery), now: late)
    #expect(recovery.next(.guess(.foundClaim(Self.claim(.recovery)))) == .finish(.codeRejected(attemptsLeft: 5)))
  }
}
