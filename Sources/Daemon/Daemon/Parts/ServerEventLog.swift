internal import JSONRPC
internal import Linux
internal import Logging
internal import UnixSocket

/// Writes what the server tells an operator.
struct ServerEventLog: Sendable {
  private let logger: Logger

  init(_ logger: Logger) { self.logger = logger }

  func note(_ event: ServerEvent) {
    switch event {
    case .acceptFailed(let number):
      logger.warning("A connection cannot be accepted (\(SystemError.text(number))); trying again in a second")
    case .stalled(let caller, let bytes):
      logger.notice(
        "Closed a connection that took nothing more of what waited for it",
        metadata: ["uid": "\(caller.uid)", "pid": "\(caller.pid)", "bytes": "\(bytes)"])
    case .refused(let caller, let error):
      logger.debug(
        "Refused a connection: \(error.message)", metadata: ["uid": "\(caller.uid)", "pid": "\(caller.pid)"])
    }
  }
}
