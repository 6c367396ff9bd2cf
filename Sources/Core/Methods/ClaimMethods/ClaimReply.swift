internal import JSONRPC
internal import Registration
internal import Sentences

/// `Claim` as callers see it: `{id, email, expiresAt, resendAt, codeDigits?}`.
enum ClaimReply {
  static let claim = Schema.object(
    .init("id", .string("Not to be guessed; only the user that it was given to may use it.")),
    .init("email", .string("As it was typed.")), .init("expiresAt", .string("RFC 3339, UTC: its end.")),
    .init("resendAt", .string("RFC 3339, UTC: no mail is sent again before.")),
    .init(
      "codeDigits", .integer("12 where codes are guessed and this claim's is longer; else absent."), required: false))
  static let schema = Schema.object(.init("claim", claim))
  static let accountOrClaim = Schema.object(
    .init("account", AccountReply.account, required: false), .init("claim", claim, required: false),
    about: "The account; or, where the address is to be proven first, the claim.")

  static func reply(_ claim: AddressClaim) -> Reply {
    .object { writer in
      writer.name("claim")
      write(claim, to: &writer)
    }
  }

  static func write(_ claim: AddressClaim, to writer: inout JSONWriter) { write(FormClaim(claim), to: &writer) }

  static func write(_ claim: FormClaim, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", claim.id.description)
      writer.member("email", claim.email.typed)
      writer.member("expiresAt", claim.expiresAt.rfc3339)
      writer.member("resendAt", claim.resendAt.rfc3339)
      if claim.digits == CodeBounds.longDigits { writer.member("codeDigits", claim.digits) }
    }
  }

  // MARK: Outcomes

  /// - Parameter ranges: The claim's own language.
  static func reply(to outcome: ProofOutcome, in ranges: String?) -> Reply {
    switch outcome {
    case .proven(let account), .deferred(let account, _): AccountReply.reply(account)
    case .invalid, .codeRejected, .gone, .taken, .throttled, .cancelled, .hashing, .network, .store, .off, .fault:
      refusal(error(of: outcome), in: ranges)
    }
  }

  private static func refusal(_ error: RPCError?, in ranges: String?) -> Reply {
    var error = error ?? OutcomeReplies.fault
    error.ranges = ranges
    return .error(error)
  }

  /// - Returns: Nil for an outcome that is not an error.
  static func error(of outcome: ProofOutcome) -> RPCError? {
    switch outcome {
    case .proven, .deferred: nil
    case .invalid(let problems): OutcomeReplies.invalid(problems)
    case .codeRejected(let left): rejected(left)
    case .gone: notFound
    case .taken: OutcomeReplies.taken
    case .throttled(let seconds): OutcomeReplies.throttled(seconds)
    case .cancelled: .cancelled
    case .hashing(let failure): OutcomeReplies.error(failure)
    case .network(let failure, let isPending): OutcomeReplies.error(failure, isPending: isPending)
    case .store(let failure, let isPending): OutcomeReplies.error(failure, isPending: isPending)
    case .off(let feature): off(feature)
    case .fault: OutcomeReplies.fault
    }
  }

  /// - Parameter ranges: The claim's own language.
  static func reply(to outcome: ClaimOutcome, in ranges: String? = nil) -> Reply {
    switch outcome {
    case .claimed(let claim): reply(claim)
    case .changed(let account): AccountReply.reply(account)
    case .invalid, .taken, .gone, .tooSoon, .refused, .cancelled, .store, .off, .fault:
      refusal(error(of: outcome), in: ranges)
    }
  }

  /// - Returns: Nil for an outcome that is not an error.
  static func error(of outcome: ClaimOutcome) -> RPCError? {
    switch outcome {
    case .claimed, .changed: nil
    case .invalid(let problems): OutcomeReplies.invalid(problems)
    case .taken: OutcomeReplies.taken
    case .gone: notFound
    case .tooSoon(let seconds):
      RPCError(
        .rateLimited, Sentence(RateSentence.mails, ["seconds": .number(seconds)]), retryable: true,
        retryAfter: seconds)
    case .refused(let outcome): error(of: outcome)
    case .cancelled: .cancelled
    case .store(let failure): OutcomeReplies.error(failure)
    case .off(let feature): off(feature)
    case .fault: .internal
    }
  }

  /// The error for a refused sign-in.
  static func error(of outcome: SignInOutcome) -> RPCError {
    switch OutcomeReplies.result(of: outcome) {
    case .success: .internal
    case .failure(let error): error
    }
  }

  // MARK: Errors

  static let notFound = RPCError(.claimNotFound, Sentence(ClaimSentence.notFound))

  private static func rejected(_ left: Int) -> RPCError {
    var error = RPCError(.codeRejected, Sentence(left > 0 ? CodeSentence.rejected : .over))
    error.attemptsLeft = left
    return error
  }

  static func off(_ feature: Feature) -> RPCError {
    let sentence: FeatureSentence =
      switch feature {
      case .mail: .recovery
      case .passwordsOfUpstream: .passwords
      case .changesAtUpstream: .changes
      }
    return RPCError(.featureOff, Sentence(sentence))
  }
}
