internal import Sentences

/// What a screen shows of a claim.
package struct FormClaim: Equatable, Sendable {
  package let id: ClaimID
  /// The address that the code was mailed to.
  package let email: EmailAddress
  package let expiresAt: Timestamp
  package let resendAt: Timestamp
  /// Digits of its code.
  package let digits: Int

  package init(_ claim: AddressClaim) {
    id = claim.id
    email = claim.email
    expiresAt = claim.expiresAt
    resendAt = claim.resendAt
    digits = claim.digits
  }
}

/// The part of a screen where the code of a claim is typed.
struct CodeEntry: Sendable {
  private(set) var claim: FormClaim
  private var typed = ""
  /// The code that was wrong, and the alert for it: pressing the button twice must not cost two tries.
  private var rejected: (code: String, alert: FormAlert)?

  init(_ claim: FormClaim) { self.claim = claim }

  /// Without spaces and hyphens; nil where it cannot be the code by its shape.
  private var code: String? {
    // a resend elsewhere may have made it a longer one
    ClaimCodes.digits(of: typed, claim.digits) ?? ClaimCodes.digits(of: typed, CodeBounds.longDigits)
  }

  /// Whether it may be tried.
  var isUsable: Bool { code != nil && obstacle == nil }

  /// Why it is not worth a try.
  private var obstacle: FormAlert? {
    guard let rejected, rejected.code == code else { return nil }
    return rejected.alert
  }

  /// What stays for as long as the wrong code does.
  var sentence: Sentence? { obstacle?.sentence }

  /// The claim was renewed: its mail was sent again, perhaps with another code.
  mutating func follow(_ renewed: FormClaim) {
    guard renewed.id == claim.id else { return }
    claim = renewed
    rejected = nil
  }

  mutating func change(_ typed: String) { self.typed = typed }

  /// The code, if it may be tried; else the alert that says why not.
  func usable() -> Result<String, FormRefusal> {
    guard let code else {
      return .failure(
        FormRefusal(
          FormAlert(
            reason: .code,
            sentence: Sentence(
              FormSentence.code, ["digits": .number(claim.digits), "email": .text(claim.email.typed)]))))
    }
    if let obstacle { return .failure(FormRefusal(obstacle)) }
    return .success(code)
  }

  /// The code that was tried is wrong.
  mutating func reject(_ code: String, _ alert: FormAlert) { rejected = (code, alert) }
}

struct FormRefusal: Error {
  let alert: FormAlert

  init(_ alert: FormAlert) { self.alert = alert }
}
