internal import CSimulation
internal import RegdClient

/// A code that was sent for a claim.
struct Guess {
  let claim: KnownClaim
  let code: String
  let uid: UInt32
  /// The regd that it was sent to.
  let daemon: Int
  let asked: Int64
  /// Whether a mail that had arrived has this code for the claim.
  let isOwn: Bool
  /// Whether certainly no caller had sent a correct code for the claim before.
  let isFirst: Bool
  /// How many wrong codes were answered before this code was sent.
  let wrongBefore: Int
  let doorway: Doorway
}

/// Checks the answers to codes of claims.
extension ClaimChecks {
  func proven(_ guess: Guess, _ account: JSONValue, stamp: String?) {
    let claim = guess.claim
    guard let id = account["id"]?.string, let attempt = claim.attempt else { return }
    judge(guess, id)
    if guess.isFirst, let revoked = invitation(of: attempt.invitation)?.revoked {
      hold(.revokedAdmits, revoked.answered >= guess.asked, "\(claim.id) is proven, and its invitation is revoked")
    }
    let isNews = requests.account(id: id) == nil
    registrationChecks.acknowledged(
      attempt, id, account["state"]?.string ?? "", account["email"]?.string ?? "", by: guess.daemon)
    guard isNews, let known = requests.account(id: id) else { return }
    // a recovery whose answer was lost may have set another password
    if claims.claims(for: claim.key).contains(where: { $0.isRecovery && $0.proofs > 0 }) {
      known.password = nil
    } else {
      known.stamp = stamp
    }
  }

  func recovered(_ guess: Guess, _ account: JSONValue) {
    let claim = guess.claim
    guard let id = account["id"]?.string else { return }
    judgeRecoveries(guess, isRecovered: true)
    judge(guess, id)
    if requests.account(id: id) == nil { requests.add(id, claim.key, by: guess.daemon) }
  }

  /// Checks a recovery's code: it must fail if another recovery of the address was finished after this recovery began
  /// and before the code was sent.
  private func judgeRecoveries(_ guess: Guess, isRecovered: Bool) {
    let claim = guess.claim
    for other in claims.all where other.isRecovery && other !== claim && other.key == claim.key && guess.isFirst {
      guard let finished = other.finished, claim.answered < finished.asked, finished.answered < guess.asked else {
        continue
      }
      hold(.recoveryEnds, !isRecovered, "\(claim.id) recovers \(claim.key), and \(other.id) has done so meanwhile")
    }
  }

  /// Checks an answer that has an account, which means that the claim is finished.
  private func judge(_ guess: Guess, _ id: String) {
    let claim = guess.claim
    hold(.ownClaim, guess.uid == claim.uid, "\(claim.id) is \(claim.uid)'s, and \(guess.uid) has finished it")
    hold(.ownCode, guess.isOwn, "\(claim.id) is finished by \(guess.code), which was never mailed for it")
    hold(
      .attempts, guess.wrongBefore < scenario.admission.codeAttempts,
      "\(claim.id) is finished after \(guess.wrongBefore) wrong codes")
    if guess.isFirst, !scenario.faults.hasClockFaults,
      let letter = letters(of: claim).last(where: { $0.code == guess.code })
    {
      hold(
        .codeLife, guess.asked < letter.came + Int64(scenario.admission.codeSeconds) * 1_000_000_000,
        "\(claim.id) is finished \(guess.asked - letter.came) ns after its code had come")
    }
    hold(.provenOnce, claim.account == nil || claim.account == id, "\(claim.id) was \(claim.account ?? ""), is \(id)")
    if claim.account == nil { (claim.account, claim.finished) = (id, (guess.asked, simulated_now())) }
  }

  func refused(_ guess: Guess, _ end: Request.End) {
    let (claim, reason, attempts) = (guess.claim, end.reason ?? "none", scenario.admission.codeAttempts)
    guard !isNoise(reason) else { return }
    guard guess.uid == claim.uid else {
      return hold(.ownClaim, reason == "claim.notFound", "\(claim.id) is not \(guess.uid)'s: \(reason)")
    }
    if reason == "registration.closed" {
      if guess.isOwn { claim.proofs -= 1 } else if guess.code.allSatisfy(\.isNumber) { claim.guesses -= 1 }
      return
    }
    if guess.wrongBefore >= attempts {
      hold(.attempts, reason != "code.rejected", "\(claim.id) lives on after \(guess.wrongBefore) wrong codes")
    }
    guard guess.isOwn else { return rejected(guess, end) }
    if reason == "code.rejected" { tally.met(.lateCode) }
    if reason == "claim.notFound" { tally.met(.lateClaim) }
    if ["network.timeout", "network.emptyResponse", "network.malformedResponse", "network.failed"].contains(reason) {
      hold(.perhaps, end.isPending, "\(claim.key): \(reason) without pending")
    }
    if claim.isRecovery { judgeRecoveries(guess, isRecovered: false) }
    guard stands(claim), isAlive(guess.code, of: claim), claim.guesses < attempts else { return }
    // with `conceal`, regd replaces a claim if another claim has proven its address before, even if the claim's code
    // was mailed
    if scenario.admission.conceals, isProvable(claim.key, but: claim) { return }
    hold(.rightCode, reason != "code.rejected", "\(claim.id) has the code \(guess.code), which is rejected")
    // another proof that overtook this one may have ended the claim
    guard guess.isFirst, claim.proofs == 1, !claim.isRecovery, !isProvable(claim.key, but: claim) else { return }
    hold(
      .rightCode,
      reason.hasPrefix("network.") || (reason == "email.taken" && (holder(claim.key) != nil || wasTaken(guess))),
      "\(claim.id) has the code \(guess.code): \(reason)")
  }

  /// Whether another registration may have had the address meanwhile, and have been released (withdrawn) since.
  private func wasTaken(_ guess: Guess) -> Bool {
    requests.attempts(for: guess.claim.key).contains { hasProof($0) && $0.ended >= guess.asked }
  }

  /// Judges the answer to a wrong code.
  private func rejected(_ guess: Guess, _ end: Request.End) {
    let (claim, attempts) = (guess.claim, scenario.admission.codeAttempts)
    let reason = end.reason ?? "none"
    hold(
      .ownCode, ["code.rejected", "claim.notFound", "email.taken"].contains(reason),
      "\(guess.code) for \(claim.id): \(reason)")
    guard reason == "code.rejected", let left = end.error?["data"]?["attemptsLeft"]?.integer else { return }
    if !faultLog.hadDiskFault {
      // a code of the claim that a later mail has replaced also counts as wrong
      let sent = claim.guesses + claim.proofs
      hold(.attempts, left >= attempts - sent, "\(claim.id) has \(left) left after \(sent) codes")
    }
    let isCounted = guess.code.allSatisfy(\.isNumber)
    // an expired code costs no attempt
    guard isCounted, stands(claim), isWithinCode(since: claim.asked), claim.account == nil else { return }
    hold(
      .attempts, left < attempts - guess.wrongBefore,
      "\(claim.id) has \(left) left after \(guess.wrongBefore + 1) wrong codes")
    claim.wrong += 1
  }
}
