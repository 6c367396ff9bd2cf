internal import JSONRPC
internal import Registration
internal import Sentences

/// Maps outcomes to the outcomes of a form.
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
    // a final refusal by the upstream ends the claim
    case .network(.rejected, isPending: false): .claimOver(alert)
    case .invalid, .throttled, .cancelled, .hashing, .network, .store, .off, .fault: .refused(alert)
    }
  }

  static func alert(_ error: RPCError) -> FormAlert {
    var sentence = error.sentence
    // a screen shows only the sentence
    if let left = error.attemptsLeft, left > 0 {
      sentence = sentence.followed(by: Sentence(FormSentence.tries, ["left": .number(left)]))
    }
    return FormAlert(
      reason: error.reason == .codeRejected ? .code : .refused(error.reason.name), sentence: sentence,
      attemptsLeft: error.attemptsLeft)
  }
}

extension FormOutcome {
  /// The reason, if the outcome is due to the caller's input.
  var refusal: String? {
    switch self {
    case .welcome, .claimed: nil
    case .codeRejected(let alert), .claimOver(let alert), .taken(let alert), .refused(let alert):
      ErrorReason.isRefusal(alert.reason.name) ? alert.reason.name : nil
    }
  }
}
