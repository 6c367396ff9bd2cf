/// What an environment gives to callers: the closed list that every flow answers for. A new condition is a case here,
/// and the compiler then names every flow that has not said what it expects.
package enum Condition: String, CaseIterable, Sendable {
  /// Everything works.
  case success
  /// The upstream cannot be reached.
  case offline
  /// The upstream answers 503.
  case unavailable

  /// The step by which a scripted network gives the same.
  var scriptStep: String {
    switch self {
    case .success: "accept"
    case .offline: "offline"
    case .unavailable: "unavailable retryAfter=30"
    }
  }
}
