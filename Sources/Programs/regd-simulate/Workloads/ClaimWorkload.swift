internal import CSimulation
internal import RegdClient
internal import Synchronization

/// People who prove addresses, recover accounts and ask for further mails.
final class ClaimWorkload: Workload {
  let oracle: Oracle
  let callers: Callers

  init(_ callers: Callers) { (self.callers, oracle) = (callers, callers.oracle) }

  func act(_ kind: Action.Kind, _ chance: inout Chance) {
    switch kind {
    case .tendMails: tendMails(&chance)
    case .recover: recover(&chance)
    case .unproven: signInUnproven(&chance)
    default:
      let candidates = claims.all.filter {
        ($0.isRecovery == (kind == .finish) || kind == .resend) && !claims.isAmbiguous($0)
      }
      guard !candidates.isEmpty else { return }
      let claim = chance.once(in: 3) ? chance.one(of: candidates) : chance.one(of: Array(candidates.suffix(3)))
      kind == .resend ? resend(claim, &chance) : guess(claim, &chance)
    }
  }

  // MARK: Codes

  private func guess(_ claim: KnownClaim, _ chance: inout Chance) {
    let isForeign = chance.once(in: 8)
    let uid = isForeign ? claim.uid + 50 : claim.uid
    let letters = claimChecks.letters(of: claim)
    let isGood = !letters.isEmpty && !chance.once(in: 4)
    let code = isGood ? letters[chance.once(in: 6) ? letters.count - 1 : 0].code ?? "" : wrongCode(claim, &chance)
    guard let caller = caller(&chance, uid: uid) else { return }
    if isForeign { tally.met(.foreignProof) }
    let isOwn = letters.contains { $0.code == code }
    let guess = Guess(
      claim: claim, code: code, uid: uid, daemon: caller.daemon, asked: simulated_now(), isOwn: isOwn,
      isFirst: claim.proofs == 0, wrongBefore: claim.wrong, doorway: doorway)
    if !isForeign {
      if isOwn { claim.proofs += 1 } else if code.allSatisfy(\.isNumber) { claim.guesses += 1 }
    }
    claim.isRecovery ? finish(guess, caller, &chance) : prove(guess, caller, &chance)
  }

  /// A code that certainly is not the claim's.
  private func wrongCode(_ claim: KnownClaim, _ chance: inout Chance) -> String {
    tally.met(.wrongCode)
    let own = Set(claimChecks.letters(of: claim).map(\.code))
    let others = mails.state.withLock { $0.letters.compactMap(\.code) }.filter {
      !own.contains($0) && $0.count == scenario.admission.codeDigits && $0.allSatisfy(\.isNumber)
    }
    if !others.isEmpty, chance.once(in: 2) {
      tally.met(.otherCode)
      return chance.one(of: others)
    }
    if chance.once(in: 5) { return "no code" }
    return String(String(repeating: "\(chance.below(10))", count: scenario.admission.codeDigits))
  }

  private func prove(_ guess: Guess, _ caller: SimulatedCaller, _ chance: inout Chance) {
    ask("claim.prove", "{\"claim\":\"\(guess.claim.id)\",\"code\":\"\(guess.code)\"}", caller, &chance) {
      [unowned self] end in
      guard case .reply = end else { return }
      admissionChecks.judgeDoorway(of: guess, end.reason)
      if let account = end.result?["account"] {
        claimChecks.proven(guess, account, stamp: end.result?["stamp"]?.string)
      } else {
        claimChecks.refused(guess, end)
      }
    }
  }

  private func finish(_ guess: Guess, _ caller: SimulatedCaller, _ chance: inout Chance) {
    let new = password(chance.below(3))
    let concerned = requests.standing(for: guess.claim.key)
    let before = concerned.map { ($0.version + 1, $0.password, $0.stamp) }
    for account in concerned {
      account.version += 1
      account.passwordChanges.begin()
      (account.password, account.stamp) = (nil, nil)
    }
    let params =
      "{\"claim\":\"\(guess.claim.id)\",\"code\":\"\(guess.code)\",\"password\":\"\(new)\",\"passwordConfirmation\":\"\(new)\"}"
    ask("recovery.finish", params, caller, &chance) { [unowned self] end in
      for (account, old) in zip(concerned, before) {
        let isLast = account.passwordChanges.end(isOver: !end.isLost)
        let isAlone = account.version == old.0 && isLast
        account.version += 1
        if !isUnchanged(end) { account.password = nil }
        if account.signInsInFlight > 0 { account.mayShareOldAnswer = true }
        let isRecovered = end.result?["account"]?["id"]?.string == account.id
        if isRecovered || isUnchanged(end), isAlone {
          (account.password, account.stamp) = (isRecovered ? new : old.1, old.2)
        }
        if isRecovered, isAlone, guess.isFirst || end.result?["stamp"]?.string != account.stamp {
          account.endStamps()
          account.stamp = end.result?["stamp"]?.string
        }
      }
      guard case .reply = end else { return }
      if let account = end.result?["account"] {
        claimChecks.recovered(guess, account)
      } else {
        claimChecks.refused(guess, end)
      }
    }
  }

  /// Whether a recovery has certainly changed nothing.
  private func isUnchanged(_ end: Request.End) -> Bool {
    switch end {
    case .unsent: true
    case .lost: false
    case .reply: ["code.rejected", "claim.notFound", "validation.failed", "server.draining"].contains(end.reason ?? "")
    }
  }

  // MARK: Mails

  private func resend(_ claim: KnownClaim, _ chance: inout Chance) {
    guard let caller = caller(&chance, uid: claim.uid) else { return }
    tally.met(.resent)
    claims.asks[claim.key, default: 0] += 1
    let asked = simulated_now()
    ask("claim.resend", "{\"claim\":\"\(claim.id)\"}", caller, &chance) { [unowned self] end in
      if end.reason == "rate.limited" { tally.met(.tooSoon) }
      guard let reply = end.result?["claim"] else { return }
      hold(.resends, reply["id"]?.string == claim.id, "another claim: \(reply.text)")
      _ = claims.note(reply, uid: claim.uid, attempt: claim.attempt, asked: asked, scenario.admission)
      guard !scenario.faults.hasClockFaults else { return }
      let times = claim.wanted.map(\.time).sorted()
      hold(
        .resends,
        zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= Int64(scenario.admission.resendSeconds) * 1_000_000 },
        "\(claim.id) has mails of \(times)")
    }
  }

  private func recover(_ chance: inout Chance) {
    guard let caller = caller(&chance) else { return }
    let known = requests.accounts.filter { $0.isActive && $0.isDeleted == false }
    let email =
      switch chance.below(5) {
      case 0: "nobody\(chance.below(2))@example.com"
      case 1: address(&chance)
      default: known.isEmpty ? address(&chance) : chance.one(of: known).email
      }
    for _ in 0..<chance.within(1...2) { recover(email, caller, &chance) }
  }

  private func recover(_ email: String, _ caller: SimulatedCaller, _ chance: inout Chance) {
    claims.asks[email.lowercased(), default: 0] += 1
    let (asked, uid) = (simulated_now(), caller.uid)
    ask("recovery.start", "{\"email\":\"\(email)\"}", caller, &chance) { [unowned self] end in
      guard case .reply = end, !isNoise(end.reason) else { return }
      let claim = end.result?["claim"]
      hold(
        .recoversAlike, claim?.isClaim == true && claim?["email"]?.string == email,
        "\(email): \(end.reason ?? end.result?.text ?? "")")
      guard let claim else { return }
      _ = claims.note(claim, uid: uid, attempt: nil, asked: asked, scenario.admission)
    }
  }

  private func tendMails(_ chance: inout Chance) {
    guard let caller = caller(&chance, uid: 0) else { return }
    ask("mail.retry", "null", caller, &chance) { _ in }
  }

  /// Signs in with the address and the password of a claim that was never proven.
  private func signInUnproven(_ chance: inout Chance) {
    let candidates = claims.all.filter {
      !$0.isRecovery && $0.proofs == 0 && !claimChecks.isProvable($0.key, but: $0) && !claims.isDoubtful($0)
    }
    guard !candidates.isEmpty, let caller = caller(&chance) else { return }
    let claim = chance.one(of: candidates)
    let params = "{\"email\":\"\(claim.key)\",\"password\":\"\(claim.attempt?.password ?? "")\"}"
    ask("session.signIn", params, caller, &chance) { [unowned self] end in
      guard case .reply = end, !isNoise(end.reason), claim.proofs == 0, !claimChecks.isProvable(claim.key, but: claim)
      else {
        return
      }
      hold(.claimFirst, end.reason == "credentials.rejected", "\(claim.key): \(end.reason ?? "a result") for a claim")
    }
  }
}

extension JSONValue {
  /// Whether the object has the members of a claim, and no others.
  var isClaim: Bool {
    guard case .object(let members) = self else { return false }
    let names = Set(members.map(\.name)).subtracting(["codeDigits"])
    return names == ["id", "email", "expiresAt", "resendAt"]
  }
}
