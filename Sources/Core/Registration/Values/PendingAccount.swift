/// A pending account, with what the store has recorded about its delivery to the upstream.
package struct PendingAccount: Equatable, Sendable {
  package let stored: StoredAccount
  /// The outcome of the last request to the upstream, or nil if none is recorded.
  package let delivery: Delivery?
  /// Whether another regd has a claim that has not expired.
  package let isClaimedElsewhere: Bool
  /// The share that reserved the account, according to the audit, or regd's own share if that is unknown.
  package let share: Share

  package init(_ stored: StoredAccount, delivery: Delivery?, isClaimedElsewhere: Bool, share: Share = .daemon) {
    self.stored = stored
    self.delivery = delivery
    self.isClaimedElsewhere = isClaimedElsewhere
    self.share = share
  }
}

/// The progress of a pending account's delivery to the upstream.
package typealias Delivery = DeliveryNote<NetworkFailure>

/// Failures in the form that a store keeps: a word, and the seconds of a pause if there is one, for example `unavailable 30`.
extension NetworkFailure {
  package var stored: String {
    switch self {
    case .offline, .timeout, .emptyResponse, .malformedResponse, .rejected, .tooEarly, .untrusted, .failed: description
    case .unavailable(let seconds): Self.stored("unavailable", seconds)
    case .throttled(let seconds): Self.stored("throttled", seconds)
    case .congested(let seconds): Self.stored("congested", seconds)
    }
  }

  /// Reads only texts that `stored` returns. The result is nil for other texts.
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
