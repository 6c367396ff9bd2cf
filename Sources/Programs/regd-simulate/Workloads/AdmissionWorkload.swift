internal import CSimulation
internal import RegdClient
internal import Registration
internal import Synchronization

/// Administrators who decide who may register: they invite, revoke, approve and refuse.
final class AdmissionWorkload: Workload {
  let oracle: Oracle
  let callers: Callers

  init(_ callers: Callers) { (self.callers, oracle) = (callers, callers.oracle) }

  func act(_ kind: Action.Kind, _ chance: inout Chance) {
    guard let caller = caller(&chance, uid: 0) else { return }
    switch kind {
    case .invite: createInvitation(caller, &chance)
    case .revoke: revoke(caller, &chance)
    case .waiting: signInWaiting(&chance)
    default: decide(kind, caller, &chance)
    }
  }

  // MARK: Invitations

  private func createInvitation(_ caller: SimulatedCaller, _ chance: inout Chance) {
    let isBound = chance.once(in: 3)
    let isMailed = isBound && scenario.admission.hasMail && chance.once(in: 2)
    let (uses, seconds) = (isBound ? 1 : chance.within(1...3), chance.once(in: 4) ? 20 : 604_800)
    let email = isBound ? address(&chance) : nil
    if isMailed, let email { claims.asks[email.lowercased(), default: 0] += 1 }
    let bound = email.map { ",\"email\":\"\($0)\",\"send\":\(isMailed)" } ?? ""
    let asked = simulated_now()
    ask("invitation.create", "{\"uses\":\(uses),\"expiresSeconds\":\(seconds)\(bound)}", caller, &chance) {
      [unowned self] end in
      guard let made = end.result?["invitation"], let id = made["id"]?.string else { return }
      let code = end.result?["code"]?.string
      hold(.invitedOnly, (code == nil) == isMailed, "\(id) is mailed: \(isMailed), and its code is told: \(code ?? "")")
      let known = KnownInvitation(
        id: id, code: code, uses: uses, key: email?.lowercased(), isMailed: isMailed,
        life: Int64(seconds) * 1_000_000_000, asked: asked)
      let wanted = made["createdAt"]?.string.flatMap { Timestamp(rfc3339: $0) }?.microseconds
      invitations.add(known, mailed: isMailed ? wanted : nil)
      if let code { mails.state.withLock { $0.told.append(code) } }
    }
  }

  private func revoke(_ caller: SimulatedCaller, _ chance: inout Chance) {
    guard !invitations.all.isEmpty else { return }
    let invitation = chance.one(of: invitations.all)
    if invitation.revoked == nil { invitation.revoked = (simulated_now(), .max) }
    ask("invitation.revoke", "{\"id\":\"\(invitation.id)\"}", caller, &chance) { [unowned self] end in
      if end.reason == "invitation.notFound" { hold(.usedOnce, false, "\(invitation.id) was made, and is not there") }
      guard end.result != nil, let revoked = invitation.revoked else { return }
      tally.met(.revoked)
      invitation.revoked = (revoked.asked, min(revoked.answered, simulated_now()))
    }
  }

  // MARK: Approval

  private func decide(_ kind: Action.Kind, _ caller: SimulatedCaller, _ chance: inout Chance) {
    let waiting = requests.accounts.filter { !$0.isActive && $0.isDeleted == false }
    guard !waiting.isEmpty else { return }
    let account = chance.one(of: waiting)
    account.version += 1
    if kind == .refuse {
      account.isDeleted = nil
      claims.doubt(account.key)
    } else {
      account.approvals += 1
    }
    ask("account.\(kind)", "{\"id\":\"\(account.id)\"}", caller, &chance) { [unowned self] end in
      account.version += 1
      if kind == .refuse { claims.endDoubt(account.key, isLost: end.isLost) }
      guard end.result != nil else { return }
      if kind == .refuse { account.isDeleted = true }
      guard kind == .approve else { return }
      hold(.approvalFirst, end.result?["account"]?["state"] == "active", "approved: \(end.result?.text ?? "")")
      account.isActive = true
    }
  }

  private func signInWaiting(_ chance: inout Chance) {
    let waiting = requests.accounts.filter { !$0.isActive && $0.isDeleted == false && $0.approvals == 0 }
    guard !waiting.isEmpty, let caller = caller(&chance) else { return }
    let account = chance.one(of: waiting)
    let version = account.version
    let params = "{\"email\":\"\(account.email)\",\"password\":\"\(account.password ?? "")\"}"
    ask("session.signIn", params, caller, &chance) { [unowned self] end in
      guard case .reply = end, !isNoise(end.reason), account.version == version, account.password != nil else { return }
      hold(
        .approvalFirst, end.reason == "account.waiting", "\(account.key): \(end.reason ?? "a result") while it waits")
    }
  }
}
