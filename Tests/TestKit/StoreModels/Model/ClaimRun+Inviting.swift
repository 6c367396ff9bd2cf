internal import Registration
import StoreConformance
import TestDoubles

/// Random operations on invitations, on waiting accounts, and on terms.
extension ClaimRun {
  mutating func invite() async throws {
    let (stamp, isBound) = (stamp(), number(3) == 0)
    let invitation = InvitationScene.invitation(
      isBound ? address() : nil, domain: isBound || number(4) > 0 ? nil : "example.com",
      uses: isBound ? 1 : 1 + number(3), at: now, seconds: 600 + number(9000), isMailed: isBound && number(2) == 0)
    invitations.append(invitation)
    let mail = invitation.isMailed ? InvitationScene.mail(invitation, at: now) : nil
    if let mail { mails.append(mail) }
    try await both("invite \(invitation)") { try await $0.add(invitation, mail, stamp) }
  }

  mutating func revoke() async throws {
    guard let invitation = pick(invitations) else { return }
    let stamp = stamp()
    try await both("revoke \(invitation.id)") { try await $0.revokeInvitation(invitation.id, stamp) }
  }

  mutating func lookUpInvitation() async throws {
    guard let invitation = pick(invitations) else { return }
    let (email, time) = (ClaimScene.email(address()), stamp().time)
    let share = number(3) == 0 ? nil : Share(uid: uid(), origin: number(3) == 0 ? Origin("o") : nil)
    try await both("admittance of \(invitation.id)") {
      try await $0.admittance(invitation.digest, email, claiming: share, at: time)
    }
  }

  /// Approves or refuses a waiting account, or makes an approved one wait again.
  mutating func decide() async throws {
    guard let id = pick(accounts) else { return }
    let (stamp, state) = (stamp(), number(2) == 0 ? Account.State.active : .pending)
    let notice = number(2) == 0 ? notice(.accountApproved, of: id) : nil
    let seen = try await reference.find(id)?.account.updatedAt ?? stamp.time
    switch number(5) {
    case 0...2: try await both("approve \(id) to \(state)") { try await $0.approve(id, to: state, notice, stamp) }
    case 3: try await both("disapprove \(id)") { try await $0.disapprove(id, seen: seen, stamp) }
    default: try await both("refuse \(id)") { try await $0.refuse(id, notice, stamp) }
    }
  }

  mutating func acceptTerms() async throws {
    guard let id = pick(accounts) else { return }
    let stamp = stamp()
    let terms = AcceptedTerms(version: "version \(number(3))", acceptedAt: stamp.time)
    let hash = try await reference.find(id)?.passwordHash ?? hash()
    try await both("accept \(terms.version) of \(id)") {
      try await $0.acceptTerms(of: id, terms, having: hash, stamp)
    }
  }
}
