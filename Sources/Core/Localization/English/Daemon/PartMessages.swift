/// Messages about the registration service that regd asks. A case with `Pending` in its name is used if the service may
/// have registered the account all the same.
package enum NetworkMessageKey: String, MessageKey {
  case offline = "network.offline: The registration service cannot be reached."
  case offlinePending =
    "network.offlinePending: The registration service cannot be reached. The registration may have succeeded; repeat it to find out."
  case unavailable = "network.unavailable: The registration service is not available at the moment."
  case unavailablePending =
    "network.unavailablePending: The registration service is not available at the moment. The registration may have succeeded; repeat it to find out."
  case timeout = "network.timeout: The registration service did not answer in time."
  case timeoutPending =
    "network.timeoutPending: The registration service did not answer in time. The registration may have succeeded; repeat it to find out."
  case emptyResponse = "network.emptyResponse: The registration service sent an empty response."
  case emptyResponsePending = """
    network.emptyResponsePending: \
    The registration service sent an empty response. The registration may have succeeded; repeat it to find out.
    """
  case malformedResponse = "network.malformedResponse: The registration service sent an unreadable response."
  case malformedResponsePending = """
    network.malformedResponsePending: \
    The registration service sent an unreadable response. The registration may have succeeded; repeat it to find out.
    """
  case rejected = "network.rejected: The registration service refused the request."
  case rejectedPending =
    "network.rejectedPending: The registration service refused the request. The registration may have succeeded; repeat it to find out."
  case throttled =
    "network.throttled: The registration service refused the request because it is receiving too many requests."
  case throttledPending = """
    network.throttledPending: \
    The registration service refused the request because it is receiving too many requests. The registration may have \
    succeeded; repeat it to find out.
    """
  case tooEarly = "network.tooEarly: The registration service asked for the request to be repeated."
  case tooEarlyPending =
    "network.tooEarlyPending: The registration service asked for the request to be repeated. The registration may have succeeded; repeat it to find out."
  case untrusted = "network.untrusted: The identity of the registration service could not be verified."
  case untrustedPending =
    "network.untrustedPending: The identity of the registration service could not be verified. The registration may have succeeded; repeat it to find out."
  case failed = "network.failed: The registration service failed."
  case failedPending =
    "network.failedPending: The registration service failed. The registration may have succeeded; repeat it to find out."
  case none = """
    network.none: \
    There is no registration service to send registrations to, because network.backend is none.
    """
}

/// Messages about the store that keeps accounts.
package enum StoreMessageKey: String, MessageKey {
  case unavailable = "store.unavailable: The account store cannot be used at the moment."
  case unknown =
    "store.unknown: The account store failed, and the change may or may not have been saved. Repeat the request to find out."
  case full = "store.full: The account store is full."
  case readOnly = "store.readOnly: The account store cannot be written to."
  case damagedPassword = "store.damagedPassword: The stored password of this account cannot be read."
}
