internal import JSONRPC
internal import Registration
internal import Sentences

/// The errors for an upstream's failures: an extension of its own, because there are many.
extension OutcomeReplies {
  /// - Parameter isPending: Whether the registration may have taken place after all and regd still pursues it.
  static func error(_ failure: NetworkFailure, isPending: Bool) -> RPCError {
    let said = said(of: failure)
    return RPCError(
      said.reason, isPending ? said.pending : said.sentence, retryable: failure.isWorthRepeating,
      retryAfter: failure.retryAfterSeconds, pending: isPending ? true : nil)
  }

  private struct Said {
    let reason: ErrorReason
    let sentence: Sentence
    /// The same sentence, adding that the registration may have taken place.
    let pending: Sentence

    init(_ reason: ErrorReason, _ sentence: some SentenceKey, _ pending: some SentenceKey) {
      (self.reason, self.sentence, self.pending) = (reason, Sentence(sentence), Sentence(pending))
    }

    init(_ reason: ErrorReason, network sentence: NetworkSentence, _ pending: NetworkSentence) {
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
    case .congested: Said(.busy, ServerSentence.upstream, ServerSentence.upstreamPending)
    case .untrusted: Said(.networkUntrusted, network: .untrusted, .untrustedPending)
    case .failed: Said(.networkFailed, network: .failed, .failedPending)
    }
  }
}
