internal import CSimulation
internal import RegdClient
internal import Registration
internal import Synchronization

/// Plays administrators who decide who may register, and checks registrations against their decisions.
extension World {
  func admit(_ kind: Action.Kind, _ chance: inout Chance) {
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
      invitations.append(known)
      let wanted = made["createdAt"]?.string.flatMap { Timestamp(rfc3339: $0) }?.microseconds
      if isMailed { awaited[id] = wanted }
      if let code { mails.state.withLock { $0.told.append(code) } }
    }
  }

  /// Reads the codes of invitations that arrived by mail.
  func readInvitations() {
    for invitation in invitations where invitation.code == nil {
      invitation.code = mails.state.withLock { state in
        state.letters.first {
          $0.kind == .invitation && $0.to == invitation.key && $0.wanted == awaited[invitation.id]
        }?
        .code
      }
    }
  }

  private func revoke(_ caller: SimulatedCaller, _ chance: inout Chance) {
    guard !invitations.isEmpty else { return }
    let invitation = chance.one(of: invitations)
    if invitation.revoked == nil { invitation.revoked = (simulated_now(), .max) }
    ask("invitation.revoke", "{\"id\":\"\(invitation.id)\"}", caller, &chance) { [unowned self] end in
      if end.reason == "invitation.notFound" { hold(.usedOnce, false, "\(invitation.id) was made, and is not there") }
      guard end.result != nil, let revoked = invitation.revoked else { return }
      tally.met(.revoked)
      invitation.revoked = (revoked.asked, min(revoked.answered, simulated_now()))
    }
  }

  /// Checks a registration's answer against its invitation.
  ///
  /// - Parameter reason: The reason of the error, or nil if the answer has an account or a claim.
  func judgeInvitation(of attempt: Attempt, _ reason: String?) {
    // regd does not check the invitation again if the same registration exists already
    let isAlone = !requests.attempts.contains {
      $0 !== attempt && $0.key == attempt.key && ($0.requestId == attempt.requestId || $0.password == attempt.password)
    }
    judgeDoorway(of: attempt, reason, isAlone: isAlone)
    guard scenario.admission.isInvited, !isNoise(reason), reason != "request.conflict", reason != "registration.closed"
    else { return }
    guard let code = attempt.invitation else {
      return hold(
        .invitedOnly, !isAlone || reason == "validation.failed",
        "\(attempt.key) without an invitation: \(reason ?? "a result")")
    }
    guard let known = invitation(of: code) else {
      return hold(
        .invitedOnly, !isAlone || reason == "invitation.rejected", "\(attempt.key) by \(code): \(reason ?? "a result")")
    }
    if let key = known.key, key != attempt.key {
      tally.met(.otherInvitation)
      return hold(
        .boundInvitation, !isAlone || reason == "invitation.rejected",
        "\(attempt.key) by that of \(key): \(reason ?? "a result")")
    }
    let isRevoked = known.revoked.map { $0.answered < attempt.began } ?? false
    let isExpired = !scenario.faults.hasClockFaults && attempt.began > known.asked + known.life + 10_000_000_000
    if isRevoked || isExpired {
      return hold(
        isRevoked ? .revokedAdmits : .invitedOnly, !isAlone || reason == "invitation.rejected",
        "\(attempt.key) by \(known.id), which is over: \(reason ?? "a result")")
    }
    // a deleted account does not give its use of the invitation back
    let isKept = requests.accounts.contains { account in
      account.isDeleted != false && requests.attempts(for: account.key).contains { $0.invitation == code }
    }
    let isGood =
      known.revoked == nil && bearers(of: code).count <= known.uses && !isKept && !scenario.faults.hasClockFaults
    if isGood, simulated_now() < known.asked + known.life {
      hold(.invitedOnly, reason != "invitation.rejected", "\(attempt.key) by \(known.id), which is good, is rejected")
    }
    if reason == "invitation.rejected" { tally.met(.usedUp) }
  }

  /// - Parameter list: All invitations, as regd lists them for an administrator.
  func judgeInvitations(_ list: [JSONValue]) {
    for known in invitations {
      let listed = list.first { $0["id"]?.string == known.id }
      hold(.usedOnce, listed != nil, "\(known.id) was made, and is not there")
      guard let listed, let used = listed["used"]?.integer, let held = listed["held"]?.integer else { continue }
      hold(.usedOnce, used + held <= known.uses, "\(known.id) of \(known.uses) uses: \(listed.text)")
      if let code = known.code {
        let made = Set(
          bearers(of: code).compactMap { attempt in
            // regd also recognises a repeat by address and password, so a registration with another code may have made
            // the account
            if requests.attempts(for: attempt.key).contains(where: {
              $0.password == attempt.password && $0.invitation != code
            }) {
              return nil
            }
            return switch attempt.end {
            case .acknowledged(let id, _): id
            case .claimed(let id): claims.find(id)?.account
            default: nil
            }
          }
        ).filter { id in requests.account(id: id).map { $0.isActive || scenario.network == .none } ?? false }
        hold(.usedOnce, made.count <= used, "\(known.id) has made \(made.sorted()), and \(used) are counted")
        hold(
          .secrets, !simulated_disk_contains(code, Int32(code.utf8.count)), "the code of \(known.id) is on the disk")
      }
      if known.revoked.map({ $0.answered < simulated_now() }) ?? false {
        // if a proven registration is later released (withdrawn), its claim regains the use of the invitation, even of
        // a revoked one, because regd does not check it again
        let proven = requests.attempts.count { attempt in
          guard attempt.invitation == known.code, case .claimed(let id) = attempt.end else { return false }
          return claims.find(id).map { $0.proofs > 0 } ?? false
        }
        hold(
          .revokedAdmits, held <= proven && listed["revokedAt"] != nil, "\(known.id) is revoked, and has \(listed.text)"
        )
      }
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
