internal import JSONRPC
internal import Linux
internal import Logging
internal import Reasons
internal import UnixSocket
internal import WireProtocols

/// Logs the events of the socket server, such as refused connections.
struct ServerEventLog: Sendable {
  private let logger: Logger

  init(_ logger: Logger) { self.logger = logger }

  func note(_ event: ServerEvent) {
    switch event {
    case .acceptFailed(let number): logger.write(.acceptFailed, nil, ["failure": SystemError.text(number)])
    case .stalled(let caller, let bytes):
      logger.write(.connectionStalled, nil, ["bytes": "\(bytes)"].merging(Self.details(caller)) { $1 })
    case .refused(let caller, let refusal):
      logger.write(
        .connectionRefused, nil, ["reason": RPCError(refusal).reason.name].merging(Self.details(caller)) { $1 })
    case .notAdmitted(let caller, let point):
      logger.write(
        .connectionRefused, nil,
        ["reason": ErrorReason.accessDenied.name, "door": point].merging(Self.details(caller)) { $1 })
    case .unmapped(let caller): logger.write(.callerUnmapped, nil, Self.details(caller))
    case .groupsUnknown(let caller): logger.write(.groupsUnknown, nil, Self.details(caller))
    }
  }

  private static func details(_ caller: Peer) -> [String: String] {
    ["uid": "\(caller.uid)", "pid": "\(caller.pid)"]
  }
}
