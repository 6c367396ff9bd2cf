internal import Registration

/// The one table from replies to results. Nothing else in this module interprets a reply.
///
/// After a failure with `mayHaveActed` false, regd gives the registration up. Such a failure is therefore returned only
/// if the upstream has certainly not registered: nothing was sent to it, or the request was sent once and refused. If
/// libcurl sent the request twice, a refusal shows nothing about the first sending.
enum HTTPVerdict {
  static func availability(_ reply: UpstreamReply, now: Timestamp) -> Result<Bool, NetworkFailure> {
    judge(reply, now, successes: [200]) { AnswerBody.available(reply.body) }
  }

  static func registration(_ reply: UpstreamReply, now: Timestamp) -> Result<UpstreamAnswer, NetworkFailure> {
    // after two sendings, a 409 may only mean that the upstream still works on the first
    if reply.wasSent, reply.status == 409 { return reply.sendings > 1 ? .failure(.failed) : .success(.taken) }
    return judge(reply, now, successes: [200, 201]) { AnswerBody.id(reply.body).map { _ in .registered } }
  }

  static func session(_ reply: UpstreamReply, now: Timestamp) -> Result<UpstreamSession, NetworkFailure> {
    // a session request changes nothing, so a refusal of the second sending also holds for the first
    if reply.wasSent, reply.status == 401 { return .success(.rejected) }
    if reply.wasSent, let status = reply.status, refusals.contains(status) { return .success(.refused) }
    return judge(reply, now, successes: [200]) { AnswerBody.id(reply.body).map { .accepted(id: $0) } }
  }

  /// Forbidden, not found, gone, locked: this account allows no sign-in, with any password.
  private static let refusals: Set<Int> = [403, 404, 410, 423]

  private static func judge<Answer>(
    _ reply: UpstreamReply, _ now: Timestamp, successes: Set<Int>, _ answer: () -> Answer?
  ) -> Result<Answer, NetworkFailure> {
    guard reply.wasSent else { return .failure(failure(beforeSending: reply.end)) }
    if let status = reply.status, !successes.contains(status) {
      let failure = failure(ofStatus: status, RetryAfter.seconds(reply.retryAfter, now: now))
      return .failure(reply.sendings > 1 && !failure.mayHaveActed ? .failed : failure)
    }
    switch reply.end {
    case .whole where reply.status == nil: return .failure(.malformedResponse)
    case .whole:
      guard !AnswerBody.isBlank(reply.body) else { return .failure(.emptyResponse) }
      return answer().map { .success($0) } ?? .failure(.malformedResponse)
    case .outOfTime: return .failure(.timeout)
    case .notHTTP, .tooLong: return .failure(.malformedResponse)
    case .cutShort: return .failure(reply.status == nil ? .failed : .malformedResponse)
    // after a sending, TLS can only have failed on a second connection, so the first sending may have succeeded
    case .untrusted, .broken, .unstarted: return .failure(.failed)
    }
  }

  private static func failure(beforeSending end: TransferEnd) -> NetworkFailure {
    switch end {
    case .untrusted: .untrusted
    // A connection is usually free within a moment. If the upstream is slow, one second is as good as any guess.
    case .unstarted: .congested(retryAfterSeconds: 1)
    case .whole, .outOfTime, .notHTTP, .cutShort, .tooLong, .broken: .offline
    }
  }

  /// The failure for a status other than an expected success. The status decides, even if the body is broken.
  private static func failure(ofStatus status: Int, _ retryAfter: Int?) -> NetworkFailure {
    switch status {
    case 204: .emptyResponse
    // RFC 9110 section 15.5.9 and RFC 8470 section 5.2: the client may repeat the request
    case 408, 425: .tooEarly
    case 429: .throttled(retryAfterSeconds: retryAfter)
    case 400...499: .rejected
    case 503: .unavailable(retryAfterSeconds: retryAfter)
    case 500...599: .failed
    // redirects, other successes, invalid numbers: the upstream answered, but not as agreed
    default: .malformedResponse
    }
  }
}

extension UpstreamReply {
  /// Whether the upstream may have seen the request. An answer shows that it has.
  fileprivate var wasSent: Bool { sendings > 0 || status != nil }
}
