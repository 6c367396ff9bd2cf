internal import JSONRPC
internal import Localization
internal import Reasons
internal import Registration

/// Maps the registrar's outcomes to the outcomes of a form.
enum FormOutcomes {
  static func outcome(of outcome: RegistrationOutcome, _ stamps: SessionStamps?) -> FormOutcome {
    shown(OutcomeReplies.result(of: outcome), stamps) { alert in
      switch outcome {
      case .taken: .taken(alert)
      case .invitationRejected: .invitationRejected(alert)
      case .registered, .deferred, .claimed, .claimGone, .conflict, .obstructed: .refused(alert)
      }
    }
  }

  static func outcome(of outcome: SignInOutcome, _ stamps: SessionStamps?) -> FormOutcome {
    shown(OutcomeReplies.result(of: outcome), stamps)
  }

  static func outcome(of outcome: ClaimOutcome) -> FormOutcome { shown(OutcomeReplies.result(of: outcome), nil) }

  static func outcome(of outcome: ProofOutcome, _ stamps: SessionStamps?) -> FormOutcome {
    shown(OutcomeReplies.result(of: outcome), stamps) { alert in
      switch outcome {
      // ends the claim too if the upstream refused the registration for good
      case .codeRejected(attemptsLeft: 0, isVerified: _), .gone,
        .obstructed(.network(.rejected), isPending: false):
        .claimOver(alert)
      case .codeRejected: .codeRejected(alert)
      case .taken: .taken(alert)
      case .proven, .deferred, .obstructed: .refused(alert)
      }
    }
  }

  private static func shown(
    _ result: Result<OutcomeReplies.Made, RPCError>, _ stamps: SessionStamps?,
    refused: (FormAlert) -> FormOutcome = { .refused($0) }
  ) -> FormOutcome {
    switch result {
    case .success(.account(let account, let isOwners)): .welcome(stamp: isOwners ? stamps?.stamp(of: account) : nil)
    case .success(.claim(let claim)): .claimed(FormClaim(claim))
    case .failure(let error): refused(alert(error))
    }
  }

  static func alert(_ error: RPCError) -> FormAlert {
    FormAlert(
      reason: error.reason == .codeRejected ? .code : .refused(error.reason.name), sentence: error.sentence,
      attemptsLeft: error.attemptsLeft)
  }
}

extension FormOutcome {
  /// The name of the error, if the outcome is due to the caller's input, otherwise nil.
  var refusal: String? {
    switch self {
    case .welcome, .claimed: nil
    case .codeRejected(let alert), .claimOver(let alert), .taken(let alert), .invitationRejected(let alert),
      .refused(let alert):
      ErrorReason.named(alert.reason.name)?.isDueToCaller == false ? nil : alert.reason.name
    }
  }
}
