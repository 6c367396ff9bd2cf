internal import CSimulation
internal import RegdClient
internal import Synchronization

/// Checks claims and their codes: which claims regd may answer with, and which codes finish them.
struct ClaimChecks: Checking {
  let oracle: Oracle

  /// Records and checks the claim in a registration's answer.
  func claimed(_ attempt: Attempt, _ reply: JSONValue) {
    hold(.claimFirst, scenario.admission.isVerified, "\(attempt.key) has a claim, and nothing is to be proven")
    // a repeat is answered with the claim of the first request, whose answer may have been lost
    let first = requests.attempts(for: attempt.key).filter {
      $0.requestId != nil && $0.requestId == attempt.requestId && $0.uid == attempt.uid
    }
    let asked = first.map(\.began).min() ?? attempt.began
    guard let claim = claims.note(reply, uid: attempt.uid, attempt: attempt, asked: asked, scenario.admission) else {
      return hold(.oneReply, false, "no claim: \(reply.text)")
    }
    hold(.claimFirst, claim.key == attempt.key, "a claim of \(claim.key) for \(attempt.key)")
    if let requestId = attempt.requestId {
      for twin in requests.attempts(for: attempt.key)
      where twin !== attempt && twin.requestId == requestId && twin.uid == attempt.uid {
        guard case .claimed(let other) = twin.end, let before = claims.find(other), stands(before), before.wrong == 0,
          before.guesses == 0, before.proofs == 0, !isProvable(attempt.key, but: before)
        else { continue }
        // a caller that reads late may receive a claim that has ended since, by a proof or by the upstream's refusal of
        // the proof
        guard twin.ended <= attempt.began || claim.guesses == 0 && claim.proofs == 0 else { continue }
        hold(.sameClaim, other == claim.id, "\(requestId) was the claim \(other), and is \(claim.id)")
      }
    }
    attempt.end = .claimed(id: claim.id)
  }

  /// Whether the address may have been proven by another claim or a mailed invitation, or has an account.
  func isProvable(_ key: String, but claim: KnownClaim) -> Bool {
    !requests.standing(for: key).isEmpty || claims.claims(for: key).contains { $0 !== claim && $0.proofs > 0 }
      || requests.attempts(for: key).contains(where: hasProof)
  }

  /// Whether a registration needs no claim, because its invitation was mailed to the address.
  func hasProof(_ attempt: Attempt) -> Bool { invitation(of: attempt.invitation)?.isMailed ?? false }

  // MARK: Present state

  /// Mails with codes of a claim, the latest first.
  func letters(of claim: KnownClaim) -> [SimulatedMail.Letter] {
    let times = Set(claim.wanted.map(\.time))
    return mails.state.withLock { state in
      state.letters.filter { $0.to == claim.key && $0.code != nil && times.contains($0.wanted) }.reversed()
    }
  }

  /// Whether a claim certainly has not expired, and no event but its own requests has ended it.
  func stands(_ claim: KnownClaim) -> Bool {
    let life = claim.isRecovery ? scenario.admission.codeSeconds : scenario.admission.claimSeconds
    return !scenario.faults.hasClockFaults && !claims.isDoubtful(claim) && !mayBeTakenOver(claim)
      && simulated_now() < claim.asked + Int64(life) * 1_000_000_000
  }

  /// Whether the code in the claim's latest mail is certainly still valid. The code may be older than this mail,
  /// because an earlier mail with it may have been refused. Its age therefore counts from the earliest mail that may
  /// have contained it: one after the latest mail with another code, and at most a code's life before the latest mail.
  func isAlive(_ code: String, of claim: KnownClaim) -> Bool {
    let letters = letters(of: claim)
    guard !scenario.faults.hasClockFaults, let last = letters.first, last.code == code,
      last.wanted == claim.latest.time
    else { return false }
    let other = letters.first { $0.code != code }?.wanted ?? .min
    let earliest = max(other, last.wanted - Int64(scenario.admission.codeSeconds) * 1_000_000)
    return isWithinCode(since: claim.wanted.filter { $0.time > earliest }.map(\.asked).min() ?? 0)
  }

  /// Whether a code made at this time or later certainly is valid, with a margin of 10 %.
  func isWithinCode(since time: Int64) -> Bool {
    simulated_now() < time + Int64(scenario.admission.codeSeconds) * 900_000_000
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
}
