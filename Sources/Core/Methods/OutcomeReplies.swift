package import JSONRPC
package import Registration
internal import Sentences

/// The only table that maps outcomes to errors on the wire.
package enum OutcomeReplies {
  static func reply(to outcome: RegistrationOutcome) -> Reply {
    if case .claimed(let claim) = outcome { ClaimReply.reply(claim) } else { reply(result(of: outcome)) }
  }

  static func reply(to outcome: SignInOutcome) -> Reply { reply(result(of: outcome)) }

  private static func reply(_ result: Result<Account, RPCError>) -> Reply {
    switch result {
    case .success(let account): AccountReply.reply(account)
    case .failure(let error): .error(error)
    }
  }

  static func result(of outcome: RegistrationOutcome) -> Result<Account, RPCError> {
    switch outcome {
    case .registered(let account), .deferred(let account, _): .success(account)
    // not reached with `claimed`: replies and forms show the claim themselves
    case .claimed, .claimGone: .failure(ClaimReply.notFound)
    case .invalid(let problems): .failure(invalid(problems))
    case .taken: .failure(taken)
    case .conflict: .failure(conflict)
    case .throttled(let seconds): .failure(throttled(seconds))
    case .cancelled: .failure(.cancelled)
    case .hashing(let failure): .failure(error(failure))
    case .network(let failure, let isPending): .failure(error(failure, isPending: isPending))
    case .store(let failure, let isPending): .failure(error(failure, isPending: isPending))
    case .fault: .failure(fault)
    }
  }

  static func result(of outcome: SignInOutcome) -> Result<Account, RPCError> {
    switch outcome {
    case .signedIn(let account): .success(account)
    case .rejected: .failure(RPCError(.credentialsRejected, Sentence(CredentialsSentence.rejected)))
    case .disabled: .failure(RPCError(.accountDisabled, Sentence(AccountSentence.disabled)))
    case .pending: .failure(pending)
    case .throttled(let seconds): .failure(throttled(seconds))
    case .hashing(let failure): .failure(error(failure))
    case .network(let failure): .failure(error(failure, isPending: false))
    case .store(let failure): .failure(error(failure, isPending: false))
    case .fault: .failure(.internal)
    }
  }

  static func reply(to outcome: AvailabilityOutcome) -> Reply {
    switch outcome {
    case .available: .object { $0.member("available", true) }
    case .unavailable: .object { $0.member("available", false) }
    case .invalid(let problems): .error(invalid(problems))
    case .network(let failure): .error(error(failure, isPending: false))
    case .store(let failure): .error(error(failure, isPending: false))
    }
  }

  static func reply(to outcome: AdministrationOutcome) -> Reply {
    switch outcome {
    case .account(let account): AccountReply.reply(account)
    case .deleted: .object { _ in }
    case .invalid(let problems): .error(invalid(problems))
    case .notFound: .error(RPCError(.accountNotFound, Sentence(AccountSentence.notFound)))
    case .pending: .error(pending)
    case .cancelled: .error(.cancelled)
    case .hashing(let failure): .error(error(failure))
    case .store(let failure): .error(error(failure))
    }
  }

  static func reply(to answer: Outbox.Answer) -> Reply {
    switch answer {
    case .done: .object { _ in }
    case .notFound: .error(RPCError(.accountNotFound, Sentence(AccountSentence.notWaiting)))
    case .underWay: .error(pending)
    case .noNetwork: .error(RPCError(.networkOffline, Sentence(NetworkSentence.none)))
    case .cancelled: .error(.cancelled)
    case .store(let failure): .error(error(failure))
    }
  }

  static func error(_ failure: StoreFailure) -> RPCError { error(failure, isPending: false) }

  /// The reply, or the error of the store's failure.
  static func storing(_ reply: @autoclosure () async throws(StoreFailure) -> Reply) async -> Reply {
    do { return try await reply() } catch { return .error(Self.error(error)) }
  }

  // MARK: Errors

  static let pending = RPCError(.accountPending, Sentence(AccountSentence.pending), retryable: true)

  private static let conflict = RPCError(
    .requestConflict, Sentence(RequestSentence.conflict), field: "requestId")

  static let taken = RPCError(.emailTaken, Sentence(EmailSentence.taken))

  static func throttled(_ seconds: Int) -> RPCError {
    RPCError(
      .rateLimited, Sentence(RateSentence.passwords, ["seconds": .number(seconds)]), retryable: true,
      retryAfter: seconds)
  }

  /// An internal fault; a registration may have taken place.
  static let fault = RPCError(.internal, RPCError.internal.sentence, pending: true)

  static func invalid(_ problems: [Problem]) -> RPCError {
    RPCError(
      .validationFailed, problems.first?.sentence ?? Sentence(ValidationSentence.failed),
      problems: problems.map(ProblemList.listed))
  }

  static func error(_ failure: HashingFailure) -> RPCError {
    switch failure {
    case .busy(let seconds):
      .busy(Sentence(ServerSentence.hashing), retryAfter: seconds)
    case .unavailable:
      .internal
    case .unreadableHash:
      // the stored hash is damaged: the password is not wrong, and a repeat does not help
      RPCError(.storeUnavailable, Sentence(StoreSentence.damagedPassword))
    case .cancelled:
      .cancelled
    }
  }

  /// The reason of the error that callers get for a failure.
  package static func reason(of failure: NetworkFailure) -> ErrorReason { error(failure, isPending: false).reason }

  /// The reason of the error that callers get for a failure.
  package static func reason(of failure: StoreFailure) -> ErrorReason { error(failure).reason }

  static func error(_ failure: StoreFailure, isPending: Bool) -> RPCError {
    var error: RPCError =
      switch failure {
      case .unavailable: RPCError(.storeUnavailable, Sentence(StoreSentence.unavailable), retryable: true)
      case .unknown: RPCError(.storeUnavailable, Sentence(StoreSentence.unknown), retryable: true)
      case .cancelled: .cancelled
      case .full: RPCError(.storeFull, Sentence(StoreSentence.full))
      case .readOnly: RPCError(.storeReadOnly, Sentence(StoreSentence.readOnly))
      }
    if isPending { error.pending = true }
    if case .unknown = failure { error.pending = true }
    return error
  }
}
