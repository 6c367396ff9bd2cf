internal import CSimulation
internal import RegdClient

/// Checks registrations against administrators' decisions: invitations, and whether anybody may register.
struct AdmissionChecks: Checking {
  let oracle: Oracle

  // MARK: Invitations

  /// The registrations that were requested with a code. Repeats of one request count once.
  func bearers(of code: String) -> [Attempt] {
    var named: Set<String> = []
    return requests.attempts.filter { attempt in
      guard attempt.invitation == code, attempt.end != .unsent else { return false }
      return attempt.requestId.map { named.insert("\(attempt.uid) \($0) \(attempt.key) \(attempt.password)").inserted }
        ?? true
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
    for known in invitations.all {
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

  // MARK: The registration mode

  /// Checks a registration's answer against `registration.mode`: while it is `closed`, no registration succeeds.
  func judgeDoorway(of attempt: Attempt, _ reason: String?, isAlone: Bool) {
    guard !isNoise(reason), attempt.doorway.isInForce, attempt.doorway.generation == doorway.generation else { return }
    if !attempt.doorway.isClosed {
      return hold(.closed, reason != "registration.closed", "\(attempt.key) is told that nobody may register")
    }
    hold(
      .closed, !isAlone || reason == "registration.closed" || reason == "request.conflict",
      "\(attempt.key) while nobody may register: \(reason ?? "a result")")
  }

  /// Checks the answer to a claim's code against `registration.mode`: while it is `closed`, no claim makes an account.
  func judgeDoorway(of guess: Guess, _ reason: String?) {
    guard !guess.claim.isRecovery, !isNoise(reason), guess.doorway.isInForce, guess.uid == guess.claim.uid,
      guess.doorway.generation == doorway.generation
    else { return }
    let isClosed = reason == "registration.closed"
    guard guess.doorway.isClosed else {
      return hold(.closed, !isClosed, "\(guess.claim.id) cannot be proven, and everybody may register")
    }
    // a code that has made an account is still answered
    guard guess.isFirst, guess.claim.account == nil, guess.claim.proofs == (guess.isOwn ? 1 : 0) else { return }
    hold(
      .closed, isClosed || reason == "claim.notFound", "\(guess.claim.id) while nobody may register: \(reason ?? "")")
    if isClosed { tally.met(.closedProof) }
  }
}
