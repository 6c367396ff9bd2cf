/// Sentences about the registration service that regd asks. A case with `Pending` in its name is used if the service may
/// have registered the account all the same.
package enum NetworkSentence: String, SentenceKey {
  case offline = "network.offline: The registration service cannot be reached."
  case offlinePending =
    "network.offlinePending: The registration service cannot be reached; the registration may have happened, so repeat it to find out."
  case unavailable = "network.unavailable: The registration service is not available at the moment."
  case unavailablePending =
    "network.unavailablePending: The registration service is not available at the moment; the registration may have happened, so repeat it to find out."
  case timeout = "network.timeout: The registration service did not answer in time."
  case timeoutPending =
    "network.timeoutPending: The registration service did not answer in time; the registration may have happened, so repeat it to find out."
  case emptyResponse = "network.emptyResponse: The registration service sent an empty answer."
  case emptyResponsePending =
    "network.emptyResponsePending: The registration service sent an empty answer; the registration may have happened, so repeat it to find out."
  case malformedResponse = "network.malformedResponse: The registration service sent an answer that cannot be read."
  case malformedResponsePending =
    "network.malformedResponsePending: The registration service sent an answer that cannot be read; the registration may have happened, so repeat it to find out."
  case rejected = "network.rejected: The registration service refused the request."
  case rejectedPending =
    "network.rejectedPending: The registration service refused the request; the registration may have happened, so repeat it to find out."
  case throttled = "network.throttled: The registration service refuses so many requests at once."
  case throttledPending =
    "network.throttledPending: The registration service refuses so many requests at once; the registration may have happened, so repeat it to find out."
  case tooEarly = "network.tooEarly: The registration service asks to be asked again."
  case tooEarlyPending =
    "network.tooEarlyPending: The registration service asks to be asked again; the registration may have happened, so repeat it to find out."
  case untrusted = "network.untrusted: The registration service could not prove who it is."
  case untrustedPending =
    "network.untrustedPending: The registration service could not prove who it is; the registration may have happened, so repeat it to find out."
  case failed = "network.failed: The registration service failed."
  case failedPending =
    "network.failedPending: The registration service failed; the registration may have happened, so repeat it to find out."
  case none = "network.none: network.backend is none: there is nobody to deliver it to."
}

/// Sentences about the store that keeps accounts.
package enum StoreSentence: String, SentenceKey {
  case unavailable = "store.unavailable: The account store cannot be used at the moment."
  case unknown =
    "store.unknown: The account store failed, and whether it has kept this is not known; repeat it to find out."
  case full = "store.full: The account store has no room left."
  case readOnly = "store.readOnly: The account store cannot be written to."
  case damagedPassword = "store.damagedPassword: The stored password of this account cannot be read."
}
