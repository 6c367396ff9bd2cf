package import JSONRPC

/// The names and codes of all errors except the protocol's own, which are in JSONRPC. A new error needs a line here, an entry
/// in one of the lists below, and code that makes it.
extension ErrorReason {
  // errors about the request's subject
  static let validationFailed = ErrorReason("validation.failed", 1001)
  static let emailTaken = ErrorReason("email.taken", 1002)
  static let credentialsRejected = ErrorReason("credentials.rejected", 1003)
  static let accountNotFound = ErrorReason("account.notFound", 1004)
  static let accountDisabled = ErrorReason("account.disabled", 1005)
  static let requestConflict = ErrorReason("request.conflict", 1006)
  static let formNotFound = ErrorReason("form.notFound", 1007)
  static let accountPending = ErrorReason("account.pending", 1008)
  static let claimNotFound = ErrorReason("claim.notFound", 1009)
  static let codeRejected = ErrorReason("code.rejected", 1010)
  static let mailNotFound = ErrorReason("mail.notFound", 1012)
  static let configurationRefused = ErrorReason("configuration.refused", 1011)
  static let registrationClosed = ErrorReason("registration.closed", 1013)
  static let invitationRejected = ErrorReason("invitation.rejected", 1014)
  static let accountWaiting = ErrorReason("account.waiting", 1015)
  static let invitationNotFound = ErrorReason("invitation.notFound", 1016)
  static let sessionEnded = ErrorReason("session.ended", 1017)
  static let groupRequired = ErrorReason("group.required", 1018)
  static let groupsTooMany = ErrorReason("groups.tooMany", 1019)
  // features that this daemon's configuration lacks
  static let featureOff = ErrorReason("feature.off", -32011)
  // the upstream
  static let networkOffline = ErrorReason("network.offline", 2001)
  static let networkUnavailable = ErrorReason("network.unavailable", 2002)
  static let networkTimeout = ErrorReason("network.timeout", 2003)
  static let networkEmptyResponse = ErrorReason("network.emptyResponse", 2004)
  static let networkMalformedResponse = ErrorReason("network.malformedResponse", 2005)
  static let networkRejected = ErrorReason("network.rejected", 2006)
  static let networkUntrusted = ErrorReason("network.untrusted", 2007)
  static let networkFailed = ErrorReason("network.failed", 2008)
  // the store
  static let storeUnavailable = ErrorReason("store.unavailable", 3001)
  static let storeFull = ErrorReason("store.full", 3002)
  static let storeReadOnly = ErrorReason("store.readOnly", 3003)

  /// All errors that an upstream can cause.
  static let ofNetwork = [
    networkOffline, networkUnavailable, networkTimeout, networkEmptyResponse, networkMalformedResponse,
    networkRejected, networkUntrusted, networkFailed,
  ]
  /// All errors that a store can cause.
  static let ofStore = [storeUnavailable, storeFull, storeReadOnly]
  /// All errors that regd's methods add to the protocol's.
  package static let ofApplication =
    [
      validationFailed, emailTaken, credentialsRejected, accountNotFound, accountDisabled, requestConflict,
      formNotFound, accountPending, claimNotFound, codeRejected, mailNotFound, configurationRefused,
      registrationClosed, invitationRejected, accountWaiting, invitationNotFound, sessionEnded, groupRequired,
      groupsTooMany, featureOff,
    ] + ofNetwork + ofStore
}
