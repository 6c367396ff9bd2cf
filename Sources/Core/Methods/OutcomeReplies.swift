package import JSONRPC
package import Registration

/// The only table from outcomes to errors on the wire.
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
    // a form says where it goes on by itself
    case .claimed, .claimGone: .failure(ClaimReply.notFound)
    case .tooManyClaims(let seconds): .failure(ClaimReply.tooMany(seconds))
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
    case .rejected: .failure(RPCError(.credentialsRejected, "E-mail address and password do not fit together."))
    case .disabled: .failure(RPCError(.accountDisabled, "This account has been disabled."))
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
    case .notFound: .error(RPCError(.accountNotFound, "There is no such account."))
    case .pending: .error(pending)
    case .cancelled: .error(.cancelled)
    case .hashing(let failure): .error(error(failure))
    case .store(let failure): .error(error(failure))
    }
  }

  static func reply(to answer: Outbox.Answer) -> Reply {
    switch answer {
    case .done: .object { _ in }
    case .notFound: .error(RPCError(.accountNotFound, "There is no registration with this id that waits."))
    case .underWay: .error(pending)
    case .noNetwork: .error(RPCError(.networkOffline, "network.backend is none: there is nobody to deliver it to."))
    case .cancelled: .error(.cancelled)
    case .store(let failure): .error(error(failure))
    }
  }

  static func error(_ failure: StoreFailure) -> RPCError { error(failure, isPending: false) }

  /// The reply, or that the store has failed.
  static func storing(_ reply: @autoclosure () async throws(StoreFailure) -> Reply) async -> Reply {
    do { return try await reply() } catch { return .error(Self.error(error)) }
  }

  // MARK: Errors

  static let pending = RPCError(
    .accountPending, "This registration is not complete yet; try again in a moment.", retryable: true)

  private static let conflict = RPCError(
    .requestConflict, "This requestId belongs to another registration; another registration needs one of its own.",
    field: "requestId")

  static let taken = RPCError(.emailTaken, RegistrationForm.takenMessage)

  static func throttled(_ seconds: Int) -> RPCError {
    RPCError(
      .rateLimited, "There were too many wrong passwords; wait \(seconds) s before the next try.", retryable: true,
      retryAfter: seconds)
  }

  /// A registration may have happened all the same.
  static let fault = RPCError(.internal, RPCError.internal.message, pending: true)

  static func invalid(_ problems: [Problem]) -> RPCError {
    RPCError(
      .validationFailed, problems.first.map(\.message) ?? "What was entered is not valid.",
      problems: ProblemList.text(problems))
  }

  static func error(_ failure: HashingFailure) -> RPCError {
    switch failure {
    case .busy(let seconds):
      .busy("regd has as many passwords to check as it can take; try again in a moment.", retryAfter: seconds)
    case .unavailable:
      .internal
    case .unreadableHash:
      // what the store keeps is damaged: neither a wrong password nor anything that a repeat would mend
      RPCError(.storeUnavailable, "What is kept of this account's password cannot be read.")
    case .cancelled:
      .cancelled
    }
  }

  static func error(_ failure: NetworkFailure, isPending: Bool) -> RPCError {
    var error = error(failure)
    if isPending {
      error.pending = true
      error.message = error.message.dropLast() + "; the registration may have happened, so repeat it to find out."
    }
    return error
  }

  /// The reason of the error that callers get for a failure.
  package static func reason(of failure: NetworkFailure) -> ErrorReason { error(failure).reason }

  /// The reason of the error that callers get for a failure.
  package static func reason(of failure: StoreFailure) -> ErrorReason { error(failure).reason }

  static func error(_ failure: NetworkFailure) -> RPCError {
    let (reason, message): (ErrorReason, String) =
      switch failure {
      case .offline: (.networkOffline, "The registration service cannot be reached.")
      case .unavailable: (.networkUnavailable, "The registration service is not available at the moment.")
      case .timeout: (.networkTimeout, "The registration service did not answer in time.")
      case .emptyResponse: (.networkEmptyResponse, "The registration service sent an empty answer.")
      case .malformedResponse:
        (.networkMalformedResponse, "The registration service sent an answer that cannot be read.")
      case .rejected: (.networkRejected, "The registration service refused the request.")
      case .throttled: (.networkRejected, "The registration service refuses so many requests at once.")
      case .tooEarly: (.networkRejected, "The registration service asks to be asked again.")
      case .congested:
        (.busy, "regd has as many requests under way to the registration service as it may; try again in a moment.")
      case .untrusted: (.networkUntrusted, "The registration service could not prove who it is.")
      case .failed: (.networkFailed, "The registration service failed.")
      }
    return RPCError(
      reason, message, retryable: failure.isWorthRepeating, retryAfter: failure.retryAfterSeconds)
  }

  static func error(_ failure: StoreFailure, isPending: Bool) -> RPCError {
    var error: RPCError =
      switch failure {
      case .unavailable:
        RPCError(.storeUnavailable, "The account store cannot be used at the moment.", retryable: true)
      case .unknown:
        RPCError(
          .storeUnavailable,
          "The account store failed, and whether it has kept this is not known; repeat it to find out.",
          retryable: true)
      case .cancelled: .cancelled
      case .full: RPCError(.storeFull, "The account store has no room left.")
      case .readOnly: RPCError(.storeReadOnly, "The account store cannot be written to.")
      }
    if isPending { error.pending = true }
    if case .unknown = failure { error.pending = true }
    return error
  }
}
