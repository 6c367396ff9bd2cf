/// Why a store did not perform an operation. Except for `unknown`, nothing was changed.
package enum StoreFailure: Error, Equatable, Sendable {
  /// The store cannot be reached, is locked by another program, is damaged or is closed. This may pass. `detail` is for the
  /// log.
  case unavailable(detail: String)
  /// The disk or the database has no room left.
  case full
  case readOnly
  /// The task was cancelled before the operation's turn.
  case cancelled
  /// The commit itself failed, so the change was done completely or not at all. Only a later look-up shows which.
  /// `detail` is for the log.
  case unknown(detail: String)
}

extension StoreFailure: CustomStringConvertible {
  /// The failure in words, for the log and for `STATUS=`.
  package var description: String {
    switch self {
    case .unavailable(let detail): detail
    case .full: "full"
    case .readOnly: "read-only"
    case .cancelled: "cancelled"
    case .unknown(let detail): "in doubt: \(detail)"
    }
  }
}
