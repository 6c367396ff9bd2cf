internal import JSONRPC
internal import Registration

/// The only table from outcomes to error codes (contract §4).
enum OutcomeReplies {
  static func reply(to outcome: RegistrationOutcome) -> Reply {
    switch outcome {
    case .registered(let account): AccountReply.reply(account)
    case .invalid(let problems): .error(invalid(problems))
    case .taken: .error(taken)
    case .hashing(let failure): .error(error(failure))
    case .network(let failure, let isPending): .error(error(failure, isPending: isPending))
    case .store(let failure, let isPending): .error(error(failure, isPending: isPending))
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

  static func reply(to outcome: SignInOutcome) -> Reply {
    switch outcome {
    case .signedIn(let account): AccountReply.reply(account)
    case .rejected:
      .error(
        RPCError(
          code: 1003, reason: "credentials.rejected", message: "E-mail address and password do not fit together."))
    case .disabled:
      .error(RPCError(code: 1005, reason: "account.disabled", message: "This account has been disabled."))
    case .pending:
      .error(
        RPCError(
          code: 1008, reason: "account.pending",
          message: "This registration is not complete yet; try again in a moment.", retryable: true))
    case .hashing(let failure): .error(error(failure))
    case .store(let failure): .error(error(failure, isPending: false))
    }
  }

  private static let taken = RPCError(
    code: 1002, reason: "email.taken", message: "Sorry, provided email address is already taken")

  private static func invalid(_ problems: [Problem]) -> RPCError {
    var error = RPCError(
      code: 1001, reason: "validation.failed",
      message: problems.first.map(\.message) ?? "What was entered is not valid.")
    error.problems = ProblemList.text(problems)
    return error
  }

  private static func error(_ failure: HashingFailure) -> RPCError {
    switch failure {
    case .busy(let seconds):
      .busy("regd has as many passwords to check as it can take; try again in a moment.", retryAfter: seconds)
    case .unavailable:
      .internal
    }
  }

  private static func error(_ failure: NetworkFailure, isPending: Bool) -> RPCError {
    var error = error(failure)
    if isPending {
      error.pending = true
      error.message += " The registration may have happened and stays reserved; repeat it to find out."
    }
    return error
  }

  private static func error(_ failure: NetworkFailure) -> RPCError {
    switch failure {
    case .offline:
      return RPCError(
        code: 2001, reason: "network.offline", message: "The registration service cannot be reached.", retryable: true)
    case .unavailable(let seconds):
      var error = RPCError(
        code: 2002, reason: "network.unavailable", message: "The registration service is not available at the moment.",
        retryable: true)
      error.retryAfter = seconds
      return error
    case .timeout:
      return RPCError(
        code: 2003, reason: "network.timeout", message: "The registration service did not answer in time.",
        retryable: true)
    case .emptyResponse:
      return RPCError(
        code: 2004, reason: "network.emptyResponse", message: "The registration service sent an empty answer.",
        retryable: true)
    case .malformedResponse:
      return RPCError(
        code: 2005, reason: "network.malformedResponse",
        message: "The registration service sent an answer that cannot be read.", retryable: true)
    case .rejected:
      return RPCError(
        code: 2006, reason: "network.rejected", message: "The registration service refused the request.")
    case .untrusted:
      return RPCError(
        code: 2007, reason: "network.untrusted", message: "The registration service could not prove who it is.")
    case .failed:
      return RPCError(
        code: 2008, reason: "network.failed", message: "The registration service failed.", retryable: true)
    }
  }

  private static func error(_ failure: StoreFailure, isPending: Bool) -> RPCError {
    var error =
      switch failure {
      case .unavailable:
        RPCError(
          code: 3001, reason: "store.unavailable", message: "The account store cannot be used at the moment.",
          retryable: true)
      case .full: RPCError(code: 3002, reason: "store.full", message: "The account store has no room left.")
      case .readOnly: RPCError(code: 3003, reason: "store.readOnly", message: "The account store cannot be written to.")
      }
    if isPending { error.pending = true }
    return error
  }
}
