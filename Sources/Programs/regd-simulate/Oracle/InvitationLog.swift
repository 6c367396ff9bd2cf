internal import Registration
internal import Synchronization

/// What is known of an invitation, from regd's answers.
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

/// All invitations that regd has made.
final class InvitationLog {
  private(set) var all: [KnownInvitation] = []
  /// When mailed invitations were made, by their ids, in microseconds of the wall clock.
  private var awaited: [String: Int64] = [:]

  /// - Parameter mailed: When the invitation was made, in microseconds of the wall clock, if its code is mailed.
  func add(_ invitation: KnownInvitation, mailed: Int64?) {
    all.append(invitation)
    awaited[invitation.id] = mailed
  }

  func find(code: String?) -> KnownInvitation? { code.flatMap { code in all.first { $0.code == code } } }

  /// Reads the codes of invitations that arrived by mail.
  func readCodes(in mails: SimulatedMail) {
    guard !awaited.isEmpty else { return }
    for invitation in all where invitation.code == nil {
      invitation.code = mails.state.withLock { state in
        state.letters.first {
          $0.kind == .invitation && $0.to == invitation.key && $0.wanted == awaited[invitation.id]
        }?
        .code
      }
    }
  }

  /// Gives a registration the code of a recent invitation, or sometimes of an old one, or a wrong code, or none.
  func invite(_ attempt: Attempt, _ chance: inout Chance) {
    guard !chance.once(in: 12) else { return }
    let known = all.filter { $0.code != nil }
    attempt.invitation =
      known.isEmpty || chance.once(in: 12)
      ? String(String(repeating: "0", count: 25) + "\(chance.below(10))")
      : chance.once(in: 4) ? chance.one(of: known).code : chance.one(of: Array(known.suffix(2))).code
  }
}
