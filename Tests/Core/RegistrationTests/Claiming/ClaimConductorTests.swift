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

  @Test("if a resend has replaced the code since the claim was read, the code is compared with the current claim")
  func outdated() {
    let registration = Self.claim()
    var proof = Self.proof(registration)
    #expect(proof.next(.guess(.foundClaim(registration))) == .guess(.compare("123456", registration)))
    _ = proof.next(.guess(.compared(true)))
    #expect(proof.next(.guess(.guessed(.outdated))) == .guess(.findClaim(registration.id)))
  }

  @Test("a hidden recovery looks gone to a proof, which costs no attempt")
  func hidden() {
    var claim = Self.claim(.recovery)
    claim.isHidden = true
    var proof = Self.proof(claim)
    #expect(proof.next(.guess(.foundClaim(claim))) == .finish(.gone))
  }

  @Test("a recovery cannot be verified as a registration")
  func kinds() {
    var proof = Self.proof(Self.claim(.recovery))
    #expect(proof.next(.guess(.foundClaim(Self.claim(.recovery)))) == .finish(.gone))
  }

  @Test("an account that was disabled after the claim was made does not get a new address")
  func disabled() {
    let disabled = Fixtures.account("a@example.com", state: .disabled)
    let change = Self.claim(.changeOfEmail)
    var proof = Self.proof(change)
    _ = proof.next(.guess(.foundClaim(change)))
    _ = proof.next(.guess(.compared(true)))
    #expect(proof.next(.guess(.guessed(.right(change)))) == .find(change.account))
    #expect(proof.next(.found(disabled)) == .finish(.gone))
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
  }
}
