internal import Localization
package import WireProtocols

/// JSON-RPC 2.0 over a byte stream, with the methods of a dispatcher.
package struct JSONRPCProtocol: WireProtocol {
  package let name = "json-rpc"
  private let dispatcher: Dispatcher
  /// The access class of all callers, or nil if the server's rules give each caller its class.
  private let access: Access?
  /// Whether a user that may not connect gets the reason. Otherwise its connection ends without a byte.
  private let explainsDenial: Bool

  /// - Parameters:
  ///   - access: The access class of all callers, whatever the server's rules are, or nil to apply the rules. In both
  ///     cases the rate limit does not apply to administrators by the rules.
  ///   - explainsDenial: Whether a user that may not connect gets the reason.
  package init(_ dispatcher: Dispatcher, access: Access? = nil, explainsDenial: Bool = true) {
    (self.dispatcher, self.access, self.explainsDenial) = (dispatcher, access, explainsDenial)
  }

  package func session(
    with caller: Peer, _ quota: PeerQuota, _ limits: Limits, wake: @escaping @Sendable () -> Void
  ) -> any ProtocolSession {
    let isAdministrator = caller.access == .admin
    var caller = caller
    caller.access = access ?? caller.access
    let session = Session(
      caller: caller, quota: quota, heldBytesLimit: limits.heldBytesPerUID, languages: dispatcher.languages)
    session.whenWaiting(wake)
    return JSONRPCProtocolSession(
      Conversation(dispatcher, session: session, quota: quota, limits: limits, isAdministrator: isAdministrator),
      session, limits, access: access, explainsDenial: explainsDenial)
  }

  package func renew(_ session: any ProtocolSession, with caller: Peer) {
    (session as? JSONRPCProtocolSession)?.adopt(dispatcher)
  }

  /// Writes the refusal as a line, because the caller's framing is unknown.
  package func text(of refusal: Refusal) -> [UInt8] {
    if case .denied = refusal, !explainsDenial { return [] }
    return RPCError(refusal).line(in: dispatcher.languages.current.standard)
  }
}
