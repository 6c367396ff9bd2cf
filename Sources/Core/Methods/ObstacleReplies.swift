internal import JSONRPC
internal import Localization
package import Reasons
package import Registration

/// The only table that maps obstacles (why an operation could not be done) to errors on the wire. Forms show the
/// messages of these errors.
extension OutcomeReplies {
  /// - Parameter isPending: Whether the upstream may have registered the address despite the failure. regd then
  ///   continues to find out.
  static func error(_ obstacle: Obstacle, isPending: Bool = false) -> RPCError {
    var error: RPCError =
      switch obstacle {
      case .invalid(let problems):
        RPCError(
          .validationFailed, problems.first?.sentence ?? LocalizedMessage(ValidationMessageKey.failed),
          problems: problems.map(ProblemList.listed))
      case .throttled(let seconds):
        RPCError(
          .rateLimited, LocalizedMessage(RateMessageKey.passwords, ["seconds": .number(seconds)]), retryable: true,
          retryAfter: seconds)
      case .cancelled: .cancelled
      case .hashing(let failure): error(of: failure)
      case .network(let failure): error(of: failure, isPending: isPending)
      case .store(let failure): error(of: failure)
      case .off(let feature): RPCError(.featureOff, LocalizedMessage(sentence(of: feature)))
      case .closed: RPCError(.registrationClosed, LocalizedMessage(RegistrationMessageKey.closed))
      // regd cannot know when an administrator decides
      case .tooManyWaiting: .busy(LocalizedMessage(ServerMessageKey.waiting), retryAfter: 600)
      case .fault: .internal
      }
    if isPending { error.pending = true }
    return error
  }

  /// Returns the reply or, if evaluating it throws, the error for that failure of the store.
  static func storing(_ reply: @autoclosure () async throws(StoreFailure) -> Reply) async -> Reply {
    do { return try await reply() } catch { return .error(Self.error(.store(error))) }
  }

  /// The reason of the error that callers get for a failure.
  package static func reason(of failure: NetworkFailure) -> ErrorReason { error(.network(failure)).reason }

  /// The reason of the error that callers get for a failure.
  package static func reason(of failure: StoreFailure) -> ErrorReason { error(.store(failure)).reason }

  private static func error(of failure: HashingFailure) -> RPCError {
    switch failure {
    case .busy(let seconds): .busy(LocalizedMessage(ServerMessageKey.hashing), retryAfter: seconds)
    case .unavailable: .internal
    // the stored hash is damaged: the password is not wrong, and a repeat does not help
    case .unreadableHash: RPCError(.storeUnavailable, LocalizedMessage(StoreMessageKey.damagedPassword))
    case .cancelled: .cancelled
    }
  }

  private static func error(of failure: StoreFailure) -> RPCError {
    switch failure {
    case .unavailable: RPCError(.storeUnavailable, LocalizedMessage(StoreMessageKey.unavailable), retryable: true)
    case .unknown:
      RPCError(.storeUnavailable, LocalizedMessage(StoreMessageKey.unknown), retryable: true, pending: true)
    case .cancelled: .cancelled
    case .full: RPCError(.storeFull, LocalizedMessage(StoreMessageKey.full))
    case .readOnly: RPCError(.storeReadOnly, LocalizedMessage(StoreMessageKey.readOnly))
    }
  }

  private static func sentence(of feature: Feature) -> FeatureMessageKey {
    switch feature {
    case .mail: .mail
    case .recovery: .recovery
    case .passwordsOfUpstream: .passwords
    case .changesAtUpstream: .changes
    case .terms: .terms
    }
  }

  private static func error(of failure: NetworkFailure, isPending: Bool) -> RPCError {
    let said = said(of: failure)
    return RPCError(
      said.reason, isPending ? said.pending : said.sentence, retryable: failure.isWorthRepeating,
      retryAfter: failure.retryAfterSeconds)
  }

  private struct Said {
    let reason: ErrorReason
    let sentence: LocalizedMessage
    /// The same message for a pending registration: adds that the registration may have taken place.
    let pending: LocalizedMessage

    init(_ reason: ErrorReason, _ sentence: some MessageKey, _ pending: some MessageKey) {
      (self.reason, self.sentence, self.pending) = (reason, LocalizedMessage(sentence), LocalizedMessage(pending))
    }

    init(_ reason: ErrorReason, network sentence: NetworkMessageKey, _ pending: NetworkMessageKey) {
      self.init(reason, sentence, pending)
    }
  }

  private static func said(of failure: NetworkFailure) -> Said {
    switch failure {
    case .offline: Said(.networkOffline, network: .offline, .offlinePending)
    case .unavailable: Said(.networkUnavailable, network: .unavailable, .unavailablePending)
    case .timeout: Said(.networkTimeout, network: .timeout, .timeoutPending)
    case .emptyResponse: Said(.networkEmptyResponse, network: .emptyResponse, .emptyResponsePending)
    case .malformedResponse: Said(.networkMalformedResponse, network: .malformedResponse, .malformedResponsePending)
    case .rejected: Said(.networkRejected, network: .rejected, .rejectedPending)
    case .throttled: Said(.networkRejected, network: .throttled, .throttledPending)
    case .tooEarly: Said(.networkRejected, network: .tooEarly, .tooEarlyPending)
    case .congested: Said(.busy, ServerMessageKey.upstream, ServerMessageKey.upstreamPending)
    case .untrusted: Said(.networkUntrusted, network: .untrusted, .untrustedPending)
    case .failed: Said(.networkFailed, network: .failed, .failedPending)
    }
  }
}
