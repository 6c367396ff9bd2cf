/// An error's stable name, which programs switch on, with its code and its kind.
package struct ErrorReason: Hashable, Sendable {
  /// The name, for example `rpc.parse`. Reasons with equal names are equal.
  package let name: String
  /// The code of the error object. Negative codes belong to JSON-RPC (2.0 §5.1, and -32000 to -32099 for servers) and to the
  /// Language Server Protocol.
  package let code: Int
  package let kind: Kind

  init(_ name: String, _ code: Int, _ kind: Kind) {
    (self.name, self.code, self.kind) = (name, code, kind)
  }

  package static func == (one: ErrorReason, other: ErrorReason) -> Bool { one.name == other.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The reason with this name, or nil if this version of regd does not know the name.
  package static func named(_ name: String) -> ErrorReason? { byName[name] }

  private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
}

extension ErrorReason {
  /// What a reason means, so that no other code decides this by a reason's name. The verdict on a login, the result
  /// codes of LDAP, the table of the PAM module and the reports of refused attempts all follow from the kind.
  package enum Kind: Sendable, CaseIterable {
    /// The address is unknown, or the password is wrong. The caller does not learn which.
    case credentials
    /// No account can have the values in the request.
    case input
    /// The password is right, but its account may not be used here or now.
    case refusal
    /// regd has decided against the call for any other cause. A repeat would have the same answer.
    case denial
    /// The caller, or regd, has reached a limit. A repeat after a pause may succeed.
    case limit
    /// Nothing is decided, because regd or a part that it needs has failed or is stopping, or because the work was
    /// ended early.
    case outage
    /// The caller breaks the rules of the protocol, or asks for more than it allows.
    case `protocol`
  }
}

// Every error of regd, each with its name, its code and its kind. A new error needs a line here, an entry in one of the
// lists below, and code that makes it.

// MARK: - Of the protocol

extension ErrorReason {
  // JSON-RPC 2.0 §5.1
  package static let parse = ErrorReason("rpc.parse", -32700, .protocol)
  package static let invalidRequest = ErrorReason("rpc.invalidRequest", -32600, .protocol)
  package static let methodNotFound = ErrorReason("rpc.methodNotFound", -32601, .protocol)
  package static let invalidParams = ErrorReason("rpc.invalidParams", -32602, .input)
  package static let `internal` = ErrorReason("rpc.internal", -32603, .outage)
  // codes of the server, in the range that JSON-RPC leaves to servers
  package static let draining = ErrorReason("server.draining", -32000, .outage)
  package static let accessDenied = ErrorReason("access.denied", -32001, .denial)
  package static let requestTimeout = ErrorReason("request.timeout", -32002, .outage)
  package static let rateLimited = ErrorReason("rate.limited", -32003, .limit)
  package static let requestTooLarge = ErrorReason("request.tooLarge", -32007, .protocol)
  package static let requestTooDeep = ErrorReason("request.tooDeep", -32007, .protocol)
  package static let responseTooLarge = ErrorReason("response.tooLarge", -32008, .protocol)
  package static let busy = ErrorReason("server.busy", -32009, .limit)
  package static let batchTooLarge = ErrorReason("batch.tooLarge", -32010, .protocol)
  // RequestCancelled of the Language Server Protocol
  package static let cancelled = ErrorReason("request.cancelled", -32800, .outage)

  /// The reasons for which any method may refuse a call.
  package static let ofProtocol = [
    parse, invalidRequest, methodNotFound, invalidParams, `internal`, draining, accessDenied, requestTimeout,
    rateLimited, requestTooLarge, requestTooDeep, responseTooLarge, busy, batchTooLarge, cancelled,
  ]
}

// MARK: - Of regd's methods

extension ErrorReason {
  // errors about the request's subject
  package static let validationFailed = ErrorReason("validation.failed", 1001, .input)
  package static let emailTaken = ErrorReason("email.taken", 1002, .denial)
  package static let credentialsRejected = ErrorReason("credentials.rejected", 1003, .credentials)
  package static let accountNotFound = ErrorReason("account.notFound", 1004, .denial)
  package static let accountDisabled = ErrorReason("account.disabled", 1005, .refusal)
  package static let requestConflict = ErrorReason("request.conflict", 1006, .denial)
  package static let formNotFound = ErrorReason("form.notFound", 1007, .denial)
  package static let accountPending = ErrorReason("account.pending", 1008, .refusal)
  package static let claimNotFound = ErrorReason("claim.notFound", 1009, .denial)
  package static let codeRejected = ErrorReason("code.rejected", 1010, .denial)
  package static let configurationRefused = ErrorReason("configuration.refused", 1011, .denial)
  package static let mailNotFound = ErrorReason("mail.notFound", 1012, .denial)
  package static let registrationClosed = ErrorReason("registration.closed", 1013, .denial)
  package static let invitationRejected = ErrorReason("invitation.rejected", 1014, .denial)
  package static let accountWaiting = ErrorReason("account.waiting", 1015, .refusal)
  package static let invitationNotFound = ErrorReason("invitation.notFound", 1016, .denial)
  package static let sessionEnded = ErrorReason("session.ended", 1017, .denial)
  package static let groupRequired = ErrorReason("group.required", 1018, .refusal)
  package static let groupsTooMany = ErrorReason("groups.tooMany", 1019, .denial)
  // features that this daemon's configuration lacks
  package static let featureOff = ErrorReason("feature.off", -32011, .denial)
  // the upstream
  package static let networkOffline = ErrorReason("network.offline", 2001, .outage)
  package static let networkUnavailable = ErrorReason("network.unavailable", 2002, .outage)
  package static let networkTimeout = ErrorReason("network.timeout", 2003, .outage)
  package static let networkEmptyResponse = ErrorReason("network.emptyResponse", 2004, .outage)
  package static let networkMalformedResponse = ErrorReason("network.malformedResponse", 2005, .outage)
  package static let networkRejected = ErrorReason("network.rejected", 2006, .outage)
  package static let networkUntrusted = ErrorReason("network.untrusted", 2007, .outage)
  package static let networkFailed = ErrorReason("network.failed", 2008, .outage)
  // the store
  package static let storeUnavailable = ErrorReason("store.unavailable", 3001, .outage)
  package static let storeFull = ErrorReason("store.full", 3002, .outage)
  package static let storeReadOnly = ErrorReason("store.readOnly", 3003, .outage)

  /// All errors that an upstream can cause.
  package static let ofNetwork = [
    networkOffline, networkUnavailable, networkTimeout, networkEmptyResponse, networkMalformedResponse,
    networkRejected, networkUntrusted, networkFailed,
  ]
  /// All errors that a store can cause.
  package static let ofStore = [storeUnavailable, storeFull, storeReadOnly]
  /// All errors that regd's methods add to the protocol's.
  package static let ofApplication =
    [
      validationFailed, emailTaken, credentialsRejected, accountNotFound, accountDisabled, requestConflict,
      formNotFound, accountPending, claimNotFound, codeRejected, mailNotFound, configurationRefused,
      registrationClosed, invitationRejected, accountWaiting, invitationNotFound, sessionEnded, groupRequired,
      groupsTooMany, featureOff,
    ] + ofNetwork + ofStore

  package static let all = ofProtocol + ofApplication
}
