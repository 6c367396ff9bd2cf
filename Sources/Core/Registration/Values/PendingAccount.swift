/// An account that waits for the upstream, and what the regd that have the store open know of its delivery.
package struct PendingAccount: Equatable, Sendable {
  package let stored: StoredAccount
  /// What came of asking the upstream last; nil where that was not noted yet.
  package let delivery: Delivery?
  /// Whether another regd has a claim that has not run out.
  package let isClaimedElsewhere: Bool

  package init(_ stored: StoredAccount, delivery: Delivery?, isClaimedElsewhere: Bool) {
    self.stored = stored
    self.delivery = delivery
    self.isClaimedElsewhere = isClaimedElsewhere
  }
}

/// How far the delivery of a pending account is, as the store keeps it for every regd and over restarts.
package struct Delivery: Equatable, Sendable {
  /// Requests to the upstream without an answer that counts, of callers and of the outbox, of every regd.
  package let attempts: Int
  /// What was wrong the last time; nil where it was not the upstream.
  package let failure: NetworkFailure?
  /// Nothing is tried before, by the clock of the regd that has noted it.
  package let next: Timestamp

  package init(attempts: Int, failure: NetworkFailure?, next: Timestamp) {
    self.attempts = attempts
    self.failure = failure
    self.next = next
  }
}

/// Failures as a store keeps them: a word, and the seconds of a pause where there are any, as `unavailable 30`.
extension NetworkFailure {
  package var stored: String {
    switch self {
    case .offline, .timeout, .emptyResponse, .malformedResponse, .rejected, .tooEarly, .untrusted, .failed: description
    case .unavailable(let seconds): Self.stored("unavailable", seconds)
    case .throttled(let seconds): Self.stored("throttled", seconds)
    case .congested(let seconds): Self.stored("congested", seconds)
    }
  }

  /// Reads what `stored` writes, and nothing else.
  package init?(stored text: String) {
    let seconds = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    let all: [NetworkFailure] = [
      .offline, .unavailable(retryAfterSeconds: seconds), .timeout, .emptyResponse, .malformedResponse, .rejected,
      .throttled(retryAfterSeconds: seconds), .tooEarly, .congested(retryAfterSeconds: seconds ?? 0), .untrusted,
      .failed,
    ]
    guard let failure = all.first(where: { $0.stored == text }) else { return nil }
    self = failure
  }

  private static func stored(_ word: String, _ seconds: Int?) -> String { seconds.map { "\(word) \($0)" } ?? word }
}
