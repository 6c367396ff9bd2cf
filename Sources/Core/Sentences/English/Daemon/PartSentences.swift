/// Sentences about the registration service that regd asks. A sentence with `Pending` is used if the registration may have
/// taken place after all.
package enum NetworkSentence: String, SentenceKey {
  package static let area = "network"
  case offline = "The registration service cannot be reached."
  case offlinePending =
    "The registration service cannot be reached; the registration may have happened, so repeat it to find out."
  case unavailable = "The registration service is not available at the moment."
  case unavailablePending =
    "The registration service is not available at the moment; the registration may have happened, so repeat it to find out."
  case timeout = "The registration service did not answer in time."
  case timeoutPending =
    "The registration service did not answer in time; the registration may have happened, so repeat it to find out."
  case emptyResponse = "The registration service sent an empty answer."
  case emptyResponsePending =
    "The registration service sent an empty answer; the registration may have happened, so repeat it to find out."
  case malformedResponse = "The registration service sent an answer that cannot be read."
  case malformedResponsePending =
    "The registration service sent an answer that cannot be read; the registration may have happened, so repeat it to find out."
  case rejected = "The registration service refused the request."
  case rejectedPending =
    "The registration service refused the request; the registration may have happened, so repeat it to find out."
  case throttled = "The registration service refuses so many requests at once."
  case throttledPending =
    "The registration service refuses so many requests at once; the registration may have happened, so repeat it to find out."
  case tooEarly = "The registration service asks to be asked again."
  case tooEarlyPending =
    "The registration service asks to be asked again; the registration may have happened, so repeat it to find out."
  case untrusted = "The registration service could not prove who it is."
  case untrustedPending =
    "The registration service could not prove who it is; the registration may have happened, so repeat it to find out."
  case failed = "The registration service failed."
  case failedPending =
    "The registration service failed; the registration may have happened, so repeat it to find out."
  case none = "network.backend is none: there is nobody to deliver it to."
}

/// Sentences about the store that keeps accounts.
package enum StoreSentence: String, SentenceKey {
  package static let area = "store"
  case unavailable = "The account store cannot be used at the moment."
  case unknown = "The account store failed, and whether it has kept this is not known; repeat it to find out."
  case full = "The account store has no room left."
  case readOnly = "The account store cannot be written to."
  case damagedPassword = "The stored password of this account cannot be read."
}
