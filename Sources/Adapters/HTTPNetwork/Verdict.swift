internal import Registration

/// The one table from what came to what it means. Nothing else in this module decides that.
///
/// A failure that gives a registration up (`!mayHaveActed`) is given only if it is certain: nothing was handed over,
/// or the one request that was has an answer that says no. After a second sending, a "no" speaks for the second only.
enum Verdict {
  static func availability(_ reply: UpstreamReply, now: Timestamp) -> Result<Bool, NetworkFailure> {
    judge(reply, now, successes: [200]) { AnswerBody.available(reply.body) }
  }

  static func registration(_ reply: UpstreamReply, now: Timestamp) -> Result<UpstreamAnswer, NetworkFailure> {
    // while the first sending is still being worked on, upstreams answer a second of the same key with a 409, too
    if reply.wasSent, reply.status == 409 { return reply.sendings > 1 ? .failure(.failed) : .success(.taken) }
    return judge(reply, now, successes: [200, 201]) { AnswerBody.id(reply.body).map { _ in .registered } }
  }

  static func session(_ reply: UpstreamReply, now: Timestamp) -> Result<UpstreamSession, NetworkFailure> {
    // a question twice sent is no other question: unlike a registration's, a second "no" speaks for the first, too
    if reply.wasSent, reply.status == 401 { return .success(.rejected) }
    if reply.wasSent, let status = reply.status, refusals.contains(status) { return .success(.refused) }
    return judge(reply, now, successes: [200]) { AnswerBody.id(reply.body).map { .accepted(id: $0) } }
  }

  /// Forbidden, not found, gone, locked: no sign-in to this account is possible, whatever the password.
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
    // TLS that fails after a sending failed on another connection
    case .untrusted, .broken, .unstarted: return .failure(.failed)
    }
  }

  private static func failure(beforeSending end: TransferEnd) -> NetworkFailure {
    switch end {
    case .untrusted: .untrusted
    // a connection becomes free within a moment, or the upstream is slow and this is as good as any guess
    case .unstarted: .congested(retryAfterSeconds: 1)
    case .whole, .outOfTime, .notHTTP, .cutShort, .tooLong, .broken: .offline
    }
  }

  /// Of a status that is not the success that was asked for. It decides, whatever became of the body behind it.
  private static func failure(ofStatus status: Int, _ retryAfter: Int?) -> NetworkFailure {
    switch status {
    case 204: .emptyResponse
    // RFC 9110 section 15.5.9 and RFC 8470 section 5.2: the client may repeat the request
    case 408, 425: .tooEarly
    case 429: .throttled(retryAfterSeconds: retryAfter)
    case 400...499: .rejected
    case 503: .unavailable(retryAfterSeconds: retryAfter)
    case 500...599: .failed
    // redirects, other successes, invalid numbers: an answer, and not as agreed
    default: .malformedResponse
    }
  }
}

extension UpstreamReply {
  /// Whether the upstream may have seen the request. An answer proves it.
  fileprivate var wasSent: Bool { sendings > 0 || status != nil }
}
