package import JSONRPC

/// The errors of registering: the one table of their names and codes, beside the protocol's own in JSONRPC. A new one is a
/// line here, its place in one of the lists below, and where it is made.
extension ErrorReason {
  // what was asked for
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
  // what this daemon is configured without
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

  /// All that an upstream may be at fault for.
  static let ofNetwork = [
    networkOffline, networkUnavailable, networkTimeout, networkEmptyResponse, networkMalformedResponse,
    networkRejected, networkUntrusted, networkFailed,
  ]
  /// All that a store may be at fault for.
  static let ofStore = [storeUnavailable, storeFull, storeReadOnly]
  /// All that regd's methods add to the protocol's.
  package static let ofApplication =
    [
      validationFailed, emailTaken, credentialsRejected, accountNotFound, accountDisabled, requestConflict,
      formNotFound, accountPending, claimNotFound, codeRejected, mailNotFound, configurationRefused, featureOff,
    ] + ofNetwork + ofStore
}
