internal import Sentences

/// The part of a claim that a screen shows.
package struct FormClaim: Equatable, Sendable {
  package let id: ClaimID
  /// The address to which the code was mailed.
  package let email: EmailAddress
  package let expiresAt: Timestamp
  package let resendAt: Timestamp
  /// The number of digits of its code.
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
  /// The last wrong code and its alert, so that pressing the button twice does not cost two tries.
  private var rejected: (code: String, alert: FormAlert)?

  init(_ claim: FormClaim) { self.claim = claim }

  /// The typed code without spaces and hyphens; nil if it does not have the form of a code.
  private var code: String? {
    // a resend elsewhere may have replaced the code by a longer one
    ClaimCodes.digits(of: typed, claim.digits) ?? ClaimCodes.digits(of: typed, CodeBounds.longDigits)
  }

  /// Whether the code may be tried.
  var isUsable: Bool { code != nil && obstacle == nil }

  /// The alert for the typed code, if it is the one that was wrong; otherwise nil.
  private var obstacle: FormAlert? {
    guard let rejected, rejected.code == code else { return nil }
    return rejected.alert
  }

  /// The sentence to show for as long as the typed code is the one that was wrong.
  var sentence: Sentence? { obstacle?.sentence }

  /// Takes over a renewed claim, whose mail was sent again, perhaps with another code.
  mutating func follow(_ renewed: FormClaim) {
    guard renewed.id == claim.id else { return }
    claim = renewed
    rejected = nil
  }

  mutating func change(_ typed: String) { self.typed = typed }

  /// The code if it may be tried; else the alert that says why not.
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

  /// Notes that the tried code is wrong.
  mutating func reject(_ code: String, _ alert: FormAlert) { rejected = (code, alert) }
}

struct FormRefusal: Error {
  let alert: FormAlert

  init(_ alert: FormAlert) { self.alert = alert }
}
