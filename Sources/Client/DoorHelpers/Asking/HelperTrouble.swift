package import RegdClient

/// Why regd decides nothing.
package enum HelperTrouble: Error, Equatable {
  /// No answer came.
  case failure(RegdClientFailure)
  /// regd said why it does not answer.
  case error(RegdError)

  /// The reason of regd's error, or regctl's own name for an answer that does not come.
  package var reason: String {
    switch self {
    case .error(let error): error.reason
    case .failure(.cannotConnect): "cannotConnect"
    case .failure(.timedOut): "timedOut"
    case .failure(.disconnected): "disconnected"
    case .failure(.notAReply): "notAReply"
    }
  }
}
