internal import JSONRPC
internal import Registration
internal import Sentences

/// `Claim` as callers see it: `{id, email, expiresAt, resendAt}`.
enum ClaimReply {
  static let claim = Schema.object(
    .init("id", .string("Not to be guessed; only the user that it was given to may use it.")),
    .init("email", .string("As it was typed.")), .init("expiresAt", .string("RFC 3339, UTC: its end.")),
    .init("resendAt", .string("RFC 3339, UTC: no mail is sent again before.")))
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

  static func write(_ claim: AddressClaim, to writer: inout JSONWriter) {
    write(claim.id, claim.email, expiresAt: claim.expiresAt, resendAt: claim.resendAt, to: &writer)
  }

  static func write(
    _ id: ClaimID, _ email: EmailAddress, expiresAt: Timestamp, resendAt: Timestamp, to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.member("id", id.description)
      writer.member("email", email.typed)
      writer.member("expiresAt", expiresAt.rfc3339)
      writer.member("resendAt", resendAt.rfc3339)
    }
  }

  // MARK: Outcomes

  static func reply(to outcome: ProofOutcome) -> Reply {
    switch outcome {
    case .proven(let account), .deferred(let account, _): AccountReply.reply(account)
    case .invalid, .codeRejected, .gone, .taken, .limited, .throttled, .cancelled, .hashing, .network, .store, .off,
      .fault:
      .error(error(of: outcome) ?? OutcomeReplies.fault)
    }
  }

  /// Nil for an outcome that is none.
  static func error(of outcome: ProofOutcome) -> RPCError? {
    switch outcome {
    case .proven, .deferred: nil
    case .invalid(let problems): OutcomeReplies.invalid(problems)
    case .codeRejected(let left): rejected(left)
    case .gone: notFound
    case .taken: OutcomeReplies.taken
    case .limited(let seconds):
      RPCError(
        .rateLimited, Sentence(RateSentence.codes, ["seconds": .number(seconds)]),
        retryable: true, retryAfter: seconds)
    case .throttled(let seconds): OutcomeReplies.throttled(seconds)
    case .cancelled: .cancelled
    case .hashing(let failure): OutcomeReplies.error(failure)
    case .network(let failure, let isPending): OutcomeReplies.error(failure, isPending: isPending)
    case .store(let failure, let isPending): OutcomeReplies.error(failure, isPending: isPending)
    case .off(let feature): off(feature)
    case .fault: OutcomeReplies.fault
    }
  }

  static func reply(to outcome: ClaimOutcome) -> Reply {
    switch outcome {
    case .claimed(let claim): reply(claim)
    case .changed(let account): AccountReply.reply(account)
    case .invalid, .taken, .gone, .tooMany, .tooSoon, .refused, .cancelled, .store, .off, .fault:
      .error(error(of: outcome) ?? OutcomeReplies.fault)
    }
  }

  /// Nil for an outcome that is none.
  static func error(of outcome: ClaimOutcome) -> RPCError? {
    switch outcome {
    case .claimed, .changed: nil
    case .invalid(let problems): OutcomeReplies.invalid(problems)
    case .taken: OutcomeReplies.taken
    case .gone: notFound
    case .tooMany(let seconds): tooMany(seconds)
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

  /// Of a sign-in that was refused.
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

  static func tooMany(_ seconds: Int) -> RPCError {
    RPCError(
      .rateLimited, Sentence(RateSentence.claims, ["seconds": .number(seconds)]),
      retryable: true, retryAfter: seconds)
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
