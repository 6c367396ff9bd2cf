/// The result of a guess of a claim's code.
enum GuessedCode {
  /// The code is correct. The claim may be in any state.
  case right(AddressClaim)
  case refused(ProofOutcome)
}

extension Registrar {
  /// Guesses a claim's code. Nothing else is done before the store has counted the guess. The caller learns only the
  /// store's answer, so trying many codes at once gains nothing beyond the allowed `attempts`.
  ///
  /// - Parameters:
  ///   - mayChange: Asked before the guess is counted.
  ///   - found: Called with the claim, if the claim is the caller's and not hidden.
  ///   - refuse: Returns the outcome if the claim admits no guess, or nil if it admits one.
  func guess(
    _ id: ClaimID, code: String, by requester: Requester, at now: Timestamp, _ mayChange: inout FirstCommit,
    _ found: (AddressClaim) -> Void, refusing refuse: (AddressClaim) -> ProofOutcome?
  ) async throws(Obstacle) -> GuessedCode {
    while true {
      guard let claim = try await find(open: id, of: requester, at: now, found), claim.uid == requester.uid else {
        return .refused(.gone)
      }
      // a hidden claim looks gone until the store has counted the guess, so even a password that breaks rules costs an
      // attempt
      if let refusal = refuse(claim), !claim.isHidden || refusal == .gone { return .refused(refusal) }
      // a repeated proof gets the same answer until the claim expires, but a repeated recovery only while its code is
      // valid
      let isGood = claim.codeUntil > now || claim.state == .proven && claim.kind != .recovery
      // refusing an expired code, or a string that is not a code, reveals nothing about the code, so it costs no attempt
      guard isGood, !claim.isSpent, let digits = ClaimCodes.digits(of: code, claim.digits) else {
        return .refused(claim.rejection(attemptsLeft: max(0, verification.attempts - claim.attempts)))
      }
      let isRight = codes?.isRight(digits, for: claim) ?? false
      let guess = CodeGuess(
        isRight: isRight && claim.hasCode, generation: claim.generation, attempts: verification.attempts)
      let answer: GuessAnswer
      do throws(Obstacle) {
        guard mayChange.isGranted else { throw .cancelled }
        answer = try await Obstacle.ofStore(try await store.guess(id, guess, Stamp(now, by: requester)))
      } catch {
        // no guess is counted for a removed claim, so a failure of the store would reveal that this claim exists
        guard claim.isHidden else { throw error }
        return .refused(.gone)
      }
      switch answer {
      case .right(let guessed):
        if claim.isHidden, let refusal = refuse(guessed) { return .refused(refusal) }
        return .right(guessed)
      case .wrong(let left): return .refused(claim.rejection(attemptsLeft: left))
      case .outdated: break  // a resend has given the claim another code meanwhile
      case .gone: return .refused(.gone)
      }
    }
  }
}

extension AddressClaim {
  fileprivate func rejection(attemptsLeft: Int) -> ProofOutcome {
    isHidden ? .gone : .codeRejected(attemptsLeft: attemptsLeft, isVerified: state == .proven)
  }
}
