package import RegdClient

/// Why regd has not decided a question.
package enum HelperTrouble: Error, Equatable {
  /// No answer came.
  case failure(RegdClientFailure)
  /// regd answered with an error.
  case error(RegdError)

  /// The reason of regd's error, or regctl's own name for a missing answer.
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
