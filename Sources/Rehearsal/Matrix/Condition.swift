/// What an environment gives to callers: the closed list that every flow answers for. A new condition is a case here,
/// and the compiler then names every flow that has not said what it expects.
package enum Condition: String, CaseIterable, Sendable {
  /// Everything works.
  case success

  // MARK: The upstream certainly has done nothing

  /// The upstream cannot be reached.
  case offline
  /// The upstream answers 503.
  case unavailable
  /// The upstream could not prove who it is.
  case untrusted
  /// The upstream refuses the request, and will refuse it again.
  case rejected
  /// The upstream refuses so many requests at once (429).
  case throttled

  // MARK: The upstream has perhaps done what it was asked

  /// No whole answer in time.
  case timeout
  /// A success without a body.
  case emptyResponse
  /// A body that is not what was agreed, or another status than was agreed.
  case malformedResponse
  /// The upstream fails (5xx), or the connection breaks when the request was sent.
  case failed

  // MARK: The upstream answers, and otherwise

  /// The upstream has every address already.
  case taken
  /// The first call of each kind is answered 503, and from then on everything works.
  case recovering
  /// The first registration is not answered in time, and its repeats are answered 409 while it is worked on.
  case atWork
  /// The first registration happens, and is answered 503 by somebody in between.
  case hiddenSuccess
  /// Every other call is answered 503.
  case flapping

  // MARK: The store

  /// The store may not be written.
  case storeReadOnly
  /// The store has no room left.
  case storeFull
  /// Another program has locked the store.
  case storeLocked
  /// The store's commits fail, so that nobody knows what is there.
  case storeCommitFails
  /// Another file was put in the store's place.
  case storeReplaced

  /// What a caller sees of a call that needs the upstream, where that is an error; nil for what is none, or not each time.
  struct Fault: Equatable, Sendable {
    let reason: String
    let isRetryable: Bool
    /// Whether a registration is left open by it.
    let leavesPending: Bool
  }

  var fault: Fault? {
    switch self {
    case .offline: Fault(reason: "network.offline", isRetryable: true, leavesPending: false)
    case .unavailable: Fault(reason: "network.unavailable", isRetryable: true, leavesPending: false)
    case .untrusted: Fault(reason: "network.untrusted", isRetryable: false, leavesPending: false)
    case .rejected: Fault(reason: "network.rejected", isRetryable: false, leavesPending: false)
    case .throttled: Fault(reason: "network.rejected", isRetryable: true, leavesPending: false)
    case .timeout: Fault(reason: "network.timeout", isRetryable: true, leavesPending: true)
    case .emptyResponse: Fault(reason: "network.emptyResponse", isRetryable: true, leavesPending: true)
    case .malformedResponse: Fault(reason: "network.malformedResponse", isRetryable: true, leavesPending: true)
    case .failed: Fault(reason: "network.failed", isRetryable: true, leavesPending: true)
    case .atWork: Fault(reason: "network.timeout", isRetryable: true, leavesPending: true)
    case .hiddenSuccess: Fault(reason: "network.unavailable", isRetryable: true, leavesPending: false)
    case .success, .taken, .recovering, .flapping, .storeReadOnly, .storeFull, .storeLocked, .storeCommitFails,
      .storeReplaced:
      nil
    }
  }

  /// What a caller sees of a change of an account, where the store is at fault.
  var storeFault: String? {
    switch self {
    case .storeReadOnly: "store.readOnly"
    case .storeFull: "store.full"
    case .storeLocked, .storeCommitFails, .storeReplaced: "store.unavailable"
    case .success, .offline, .unavailable, .untrusted, .rejected, .throttled, .timeout, .emptyResponse,
      .malformedResponse, .failed, .taken, .recovering, .atWork, .hiddenSuccess, .flapping:
      nil
    }
  }

  /// Whether the environment changes by itself, call by call.
  var changes: Bool { [.recovering, .flapping, .atWork, .hiddenSuccess].contains(self) }
}
