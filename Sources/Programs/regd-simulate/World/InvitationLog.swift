internal import CSimulation

/// The world's knowledge of an invitation, from regd's answers.
final class KnownInvitation {
  let id: String
  /// The code as a person types it, or nil until its mail arrives.
  var code: String?
  let uses: Int
  /// The key of the only address that the invitation admits, or nil if it admits any address.
  let key: String?
  let isMailed: Bool
  /// How long it is valid, in nanoseconds.
  let life: Int64
  /// When it was requested.
  let asked: Int64
  /// When the revocation was requested, and when it was answered (`.max` before the answer), or nil if no revocation
  /// was requested.
  var revoked: (asked: Int64, answered: Int64)?

  init(id: String, code: String?, uses: Int, key: String?, isMailed: Bool, life: Int64, asked: Int64) {
    (self.id, self.code, self.uses, self.key) = (id, code, uses, key)
    (self.isMailed, self.life, self.asked) = (isMailed, life, asked)
  }
}

extension World {
  func invitation(of code: String?) -> KnownInvitation? {
    code.flatMap { code in invitations.first { $0.code == code } }
  }

  /// The registrations that were requested with a code. Repeats of one request count once.
  func bearers(of code: String) -> [Attempt] {
    var named: Set<String> = []
    return requests.attempts.filter { attempt in
      guard attempt.invitation == code, attempt.end != .unsent else { return false }
      return attempt.requestId.map { named.insert("\(attempt.uid) \($0) \(attempt.key) \(attempt.password)").inserted }
        ?? true
    }
  }

  /// Whether a claim may have lost its use of an invitation: by the invitation's revocation, or to a later registration
  /// of the same uid.
  func mayBeTakenOver(_ claim: KnownClaim) -> Bool {
    guard let attempt = claim.attempt, let code = attempt.invitation else { return false }
    if invitation(of: code)?.revoked != nil { return true }
    return requests.attempts.contains {
      $0 !== attempt && $0.uid == attempt.uid && $0.invitation == code && $0.ended > attempt.began
    }
  }

  /// Gives a registration the code of a recent invitation, or sometimes of an old one, or a wrong code, or none.
  func invite(_ attempt: Attempt, _ chance: inout Chance) {
    guard scenario.admission.isInvited, !chance.once(in: 12) else { return }
    let known = invitations.filter { $0.code != nil }
    attempt.invitation =
      known.isEmpty || chance.once(in: 12)
      ? String(String(repeating: "0", count: 25) + "\(chance.below(10))")
      : chance.once(in: 4) ? chance.one(of: known).code : chance.one(of: Array(known.suffix(2))).code
  }
}
