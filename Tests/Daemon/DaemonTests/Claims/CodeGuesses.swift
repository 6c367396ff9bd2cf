/// The incorrect codes of a run, and what regd must do about them.
///
/// Contract 10.6: after `codeAttempts` incorrect codes a claim ends.
///
/// Contract 10.11: with 10 × `codeAttempts` incorrect codes for an address within 24 hours, or 1000 for all addresses within
/// an hour, new codes have 12 digits, until the count is lower again. With 1000 for all addresses, a shorter code accepts
/// one more attempt, and its claim then needs a resend. Long codes are not limited, nor are the shorter codes that an
/// address has already. A run takes less than an hour, so each incorrect code counts until its end.
struct CodeGuesses {
  /// `registration.codeAttempts`.
  static let attempts = 5
  /// `registration.codeDigits`.
  static let digits = 10
  /// The digits of a long code.
  static let longDigits = 12
  /// Incorrect codes after which new codes are long.
  private static let most = 10 * attempts
  private static let mostOfAll = 1000

  /// The numbers of incorrect codes that have cost an attempt.
  private var ofClaims: [String: Int] = [:]
  private var atAddresses: [String: Int] = [:]
  private var all = 0
  /// The claims whose short code an incorrect one has ended.
  private var spent: Set<String> = []
  /// The claims that may have got another code after that.
  private var replaced: Set<String> = []

  func attemptsLeft(_ claim: String) -> Int { Self.attempts - ofClaims[claim, default: 0] }

  /// Whether all mails of the claim have the same code.
  func hasOneCode(_ claim: String) -> Bool { !replaced.contains(claim) }

  /// The number of digits of a new code for the address.
  func digits(at address: String) -> Int {
    atAddresses[address, default: 0] < Self.most && all < Self.mostOfAll ? Self.digits : Self.longDigits
  }

  /// A code with as many digits as the claim's code.
  static func code(_ digits: String, for claim: AdversaryRun.Claim) -> String {
    String((digits + "00").prefix(claim.digits))
  }

  /// Notes that an incorrect code, with as many digits as the claim's code, was rejected.
  ///
  /// - Parameter left: The attempts that are left, as regd reports.
  /// - Returns: What is wrong about it, or nil.
  mutating func note(_ claim: AdversaryRun.Claim, attemptsLeft left: Int?) -> String? {
    let before = attemptsLeft(claim.id)
    if spent.contains(claim.id) {
      return left == before ? nil : "\(claim) has no code, and \(left ?? -1) of \(before) attempts left"
    }
    guard before > 0, left == before - 1 else {
      return "\(claim) has \(left ?? -1) attempts left, and had \(before)"
    }
    if claim.digits < Self.longDigits, all >= Self.mostOfAll { spent.insert(claim.id) }
    ofClaims[claim.id, default: 0] += 1
    atAddresses[claim.email, default: 0] += 1
    all += 1
    return nil
  }

  mutating func noteResend(_ claim: String) {
    if spent.remove(claim) != nil { replaced.insert(claim) }
  }
}
