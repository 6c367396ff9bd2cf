internal import JSONRPC
internal import Registration

/// What outcomes are to a form.
enum FormOutcomes {
  static func outcome(of outcome: RegistrationOutcome) -> FormOutcome {
    if case .claimed(let claim) = outcome { return .claimed(FormClaim(claim)) }
    return switch OutcomeReplies.result(of: outcome) {
    case .success: .welcome
    case .failure(let error): outcome == .taken ? .taken(alert(error)) : .refused(alert(error))
    }
  }

  static func outcome(of outcome: SignInOutcome) -> FormOutcome {
    switch OutcomeReplies.result(of: outcome) {
    case .success: .welcome
    case .failure(let error): .refused(alert(error))
    }
  }

  static func outcome(of outcome: ClaimOutcome) -> FormOutcome {
    if case .claimed(let claim) = outcome { return .claimed(FormClaim(claim)) }
    return ClaimReply.error(of: outcome).map { .refused(alert($0)) } ?? .welcome
  }

  static func outcome(of outcome: ProofOutcome) -> FormOutcome {
    guard let error = ClaimReply.error(of: outcome) else { return .welcome }
    let alert = alert(error)
    return switch outcome {
    case .proven, .deferred: .welcome
    case .codeRejected(attemptsLeft: 0), .gone: .claimOver(alert)
    case .codeRejected: .codeRejected(alert)
    case .taken: .taken(alert)
    // what the upstream refuses for good ends the claim
    case .network(.rejected, isPending: false): .claimOver(alert)
    case .invalid, .limited, .cancelled, .hashing, .network, .store, .off, .fault: .refused(alert)
    }
  }

  static func alert(_ error: RPCError) -> FormAlert {
    var message = error.message
    // a screen shows the sentence alone
    if let left = error.attemptsLeft, left > 0 {
      message += left == 1 ? " One try is left." : " \(left) tries are left."
    }
    return FormAlert(
      reason: error.reason == .codeRejected ? .code : .refused(error.reason.name), message: message,
      attemptsLeft: error.attemptsLeft)
  }
}
