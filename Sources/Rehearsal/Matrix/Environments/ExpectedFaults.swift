internal import RehearsedNetworks

/// The errors that every flow expects under a condition.
extension EnvironmentCondition {
  /// The error that a caller gets from a call that needs the upstream.
  struct Fault: Equatable, Sendable {
    let reason: String
    let isRetryable: Bool
    let leavesPending: Bool
  }

  /// The error of each call that needs the upstream, or nil unless all such calls fail.
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

  /// The reason in the error of a call that changes an account, or nil if the store works.
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

  /// Whether the environment changes from call to call, without an action of the flow.
  var changesByItself: Bool { [.recovering, .flapping, .atWork, .hiddenSuccess].contains(self) }
}
