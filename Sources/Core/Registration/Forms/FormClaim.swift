internal import Localization

/// The part of an address claim that a screen shows.
package struct FormClaim: Equatable, Sendable {
  package let id: ClaimID
  /// The address to which the code was mailed.
  package let email: EmailAddress
  package let expiresAt: Timestamp
  package let resendAt: Timestamp
  /// The number of digits of the claim's code.
  package let digits: Int

  package init(_ claim: AddressClaim) {
    id = claim.id
    email = claim.email
    expiresAt = claim.expiresAt
    resendAt = claim.resendAt
    digits = claim.digits
  }
}

/// The part of a screen where the person types the code of a claim.
struct CodeEntry: Sendable {
  private(set) var claim: FormClaim
  private var typed = ""
  /// The last wrong code and its alert. The same code is not tried again, because each try counts.
  private var rejected: (code: String, alert: FormAlert)?

  init(_ claim: FormClaim) { self.claim = claim }

  /// The typed code without spaces and hyphens, or nil if it does not have the form of a code.
  private var code: String? {
    // a resend elsewhere may have replaced the code by a longer one
    ClaimCodes.digits(of: typed, claim.digits) ?? ClaimCodes.digits(of: typed, CodeBounds.longDigits)
  }

  /// Whether the code may be tried.
  var isUsable: Bool { code != nil && obstacle == nil }

  /// The alert of the last wrong code, if that code is still typed, or otherwise nil.
  private var obstacle: FormAlert? {
    guard let rejected, rejected.code == code else { return nil }
    return rejected.alert
  }

  /// The message to show while the last wrong code is still typed, or otherwise nil.
  var sentence: LocalizedMessage? { obstacle?.sentence }

  /// Takes over a renewed claim, whose mail was sent again, perhaps with another code.
  mutating func follow(_ renewed: FormClaim) {
    guard renewed.id == claim.id else { return }
    claim = renewed
    rejected = nil
  }

  mutating func change(_ typed: String) { self.typed = typed }

  /// The typed code, if it may be tried, otherwise the alert with the reason why it may not.
  func usable() -> Result<String, FormRefusal> {
    guard let code else {
      return .failure(
        FormRefusal(
          FormAlert(
            reason: .code,
            sentence: LocalizedMessage(
              FormMessageKey.code, ["digits": .number(claim.digits), "email": .text(claim.email.typed)]))))
    }
    if let obstacle { return .failure(FormRefusal(obstacle)) }
    return .success(code)
  }

  /// Remembers that the tried code was wrong, and the alert for it.
  mutating func reject(_ code: String, _ alert: FormAlert) { rejected = (code, alert) }
}

struct FormRefusal: Error {
  let alert: FormAlert

  init(_ alert: FormAlert) { self.alert = alert }
}
