/// Every error that a caller can get: the stable name that programs switch on, and its code (contract §4).
///
/// The one list of both; it is whole, and some belong to methods and backends that are still to come. What an error says
/// to a person, and whether it is worth a repeat, is said where it is made.
package enum ErrorReason: String, CaseIterable, Sendable {
  // JSON-RPC 2.0 §5.1
  case parse = "rpc.parse"
  case invalidRequest = "rpc.invalidRequest"
  case methodNotFound = "rpc.methodNotFound"
  case invalidParams = "rpc.invalidParams"
  case `internal` = "rpc.internal"
  // the server, in the range that JSON-RPC leaves to it
  case draining = "server.draining"
  case accessDenied = "access.denied"
  case requestTimeout = "request.timeout"
  case rateLimited = "rate.limited"
  case requestTooLarge = "request.tooLarge"
  case requestTooDeep = "request.tooDeep"
  case responseTooLarge = "response.tooLarge"
  case busy = "server.busy"
  case batchTooLarge = "batch.tooLarge"
  case cancelled = "request.cancelled"
  // what was asked for
  case validationFailed = "validation.failed"
  case emailTaken = "email.taken"
  case credentialsRejected = "credentials.rejected"
  case accountNotFound = "account.notFound"
  case accountDisabled = "account.disabled"
  case requestConflict = "request.conflict"
  case formNotFound = "form.notFound"
  case accountPending = "account.pending"
  // the upstream
  case networkOffline = "network.offline"
  case networkUnavailable = "network.unavailable"
  case networkTimeout = "network.timeout"
  case networkEmptyResponse = "network.emptyResponse"
  case networkMalformedResponse = "network.malformedResponse"
  case networkRejected = "network.rejected"
  case networkUntrusted = "network.untrusted"
  case networkFailed = "network.failed"
  // the store
  case storeUnavailable = "store.unavailable"
  case storeFull = "store.full"
  case storeReadOnly = "store.readOnly"

  package var code: Int {
    switch self {
    case .parse: -32700
    case .invalidRequest: -32600
    case .methodNotFound: -32601
    case .invalidParams: -32602
    case .internal: -32603
    case .draining: -32000
    case .accessDenied: -32001
    case .requestTimeout: -32002
    case .rateLimited: -32003
    case .requestTooLarge, .requestTooDeep: -32007
    case .responseTooLarge: -32008
    case .busy: -32009
    case .batchTooLarge: -32010
    case .cancelled: -32800
    case .validationFailed: 1001
    case .emailTaken: 1002
    case .credentialsRejected: 1003
    case .accountNotFound: 1004
    case .accountDisabled: 1005
    case .requestConflict: 1006
    case .formNotFound: 1007
    case .accountPending: 1008
    case .networkOffline: 2001
    case .networkUnavailable: 2002
    case .networkTimeout: 2003
    case .networkEmptyResponse: 2004
    case .networkMalformedResponse: 2005
    case .networkRejected: 2006
    case .networkUntrusted: 2007
    case .networkFailed: 2008
    case .storeUnavailable: 3001
    case .storeFull: 3002
    case .storeReadOnly: 3003
    }
  }
}

extension ErrorReason {
  /// All that an upstream may be at fault for.
  package static let ofNetwork = allCases.filter { $0.rawValue.hasPrefix("network.") }
  /// All that a store may be at fault for.
  package static let ofStore = allCases.filter { $0.rawValue.hasPrefix("store.") }
}
