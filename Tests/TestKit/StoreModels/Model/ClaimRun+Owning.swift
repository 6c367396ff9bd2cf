internal import Registration
import StoreConformance
import TestDoubles

/// Random operations on accounts apart from claims.
extension ClaimRun {
  mutating func recover() async throws {
    guard let claim = pick(claims.filter { $0.kind == .recovery }) else { return }
    let (stamp, hash) = (stamp(), hash())
    let notice = number(2) == 0 ? notice(.passwordChanged, of: claim.account) : nil
    let epoch = epoch()
    try await both("recover \(claim.id)") {
      try await $0.recover(claim.id, of: claim.account, to: hash, epoch: epoch, notice, stamp)
    }
  }

  mutating func changePassword() async throws {
    guard let id = pick(accounts) else { return }
    let (stamp, new) = (stamp(), hash())
    let old = try await reference.find(id)?.passwordHash ?? hash()
    let (notice, epoch) = (notice(.passwordChanged, of: id), epoch())
    try await both("changePassword \(id)") {
      try await $0.changePassword(of: id, from: old, to: new, epoch: epoch, notice, stamp)
    }
  }

  mutating func changeEmail() async throws {
    guard let id = pick(accounts) else { return }
    let (stamp, new) = (stamp(), ClaimScene.email(address()))
    let old = try await reference.find(id)?.account.email.key ?? new.key
    let claim = number(2) == 0 ? pick(claims.filter { $0.kind == .changeOfEmail })?.id : nil
    let notice = notice(.emailChanged, of: id)
    let shown = try await shownHash(of: id)
    try await both("changeEmail \(id) to \(new.typed)") {
      try await $0.changeEmail(of: id, from: old, having: shown, to: new, proving: claim, notice, stamp)
    }
  }

  mutating func insert() async throws {
    let stamp = stamp()
    guard let state = pick(Account.State.allCases) else { return }
    let account = Fixtures.account(address(), state: state, time: stamp.time)
    accounts.append(account.account.id)
    let request = RequestKey(uid: uid(), id: "r\(number(3))")
    if number(3) == 0 {
      try await both("import \(account.account.email.typed)") { try await $0.importing([account], stamp) }
    } else {
      let admission = Admission(invitation: number(2) == 0 ? pick(invitations)?.id : nil)
      try await both("insert \(account.account.email.typed) \(state) \(admission)") {
        try await $0.insert(account, request: request, admission, stamp)
      }
    }
  }

  /// Activates or releases a pending account, or gives it a password.
  mutating func settle() async throws {
    guard let id = pick(accounts) else { return }
    let (stamp, hash) = (stamp(), hash())
    let seen = try await reference.find(id)?.account.updatedAt ?? stamp.time
    let epoch = epoch()
    switch number(3) {
    case 0: try await both("activate \(id)") { try await $0.activate(id, stamp) }
    case 1:
      let endingClaim = number(2) == 0
      try await both("release \(id) \(endingClaim)") {
        try await $0.release(id, seen: seen, remembered: true, endingClaim: endingClaim, stamp)
      }
    default:
      try await both("setPassword \(id)") { try await $0.setPassword(of: id, to: hash, epoch: epoch, stamp) }
    }
  }

  /// Performs operations that end sign-ins, and others that do not.
  mutating func endSessions() async throws {
    guard let id = pick(accounts) else { return }
    let (stamp, hash, epoch) = (stamp(), hash(), epoch())
    let shown = try await shownHash(of: id)
    switch number(4) {
    case 0: try await both("disable \(id)") { try await $0.setEnabled(id, false, epoch: epoch, stamp) }
    case 1: try await both("enable \(id)") { try await $0.setEnabled(id, true, epoch: epoch, stamp) }
    case 2: try await both("sign out \(id)") { try await $0.signOut(id, having: shown, epoch: epoch, stamp) }
    default:
      let (old, ended) = (shown ?? hash, number(2) == 0 ? epoch : nil)
      try await both("replaceHash \(id)") {
        try await $0.replaceHash(of: id, from: old, to: hash, epoch: ended, stamp)
      }
    }
  }

  private func epoch() -> SessionEpoch { SessionEpoch(stored: "at \(now)") }

  mutating func delete() async throws {
    guard let id = pick(accounts) else { return }
    let stamp = stamp()
    let shown = try await shownHash(of: id)
    try await both("delete \(id)") { try await $0.delete(id, having: shown, stamp) }
  }

  /// Picks the account's hash, another hash, or nil.
  private mutating func shownHash(of id: AccountID) async throws -> PasswordHash? {
    switch number(4) {
    case 0: nil
    case 1: hash()
    default: try await reference.find(id)?.passwordHash
    }
  }
}
