package import Dialogues
internal import Sentences

/// JSON-RPC 2.0 over a byte stream, with the methods of a dispatcher.
package struct JSONRPCProtocol: WireProtocol {
  package let name = "json-rpc"
  private let dispatcher: Dispatcher
  /// The access class of all callers; nil if the server's rules give each caller its class.
  private let access: Access?

  /// - Parameter access: The access class of all callers, whatever the server's rules are; nil to apply the rules. In both
  ///   cases the rate limit does not apply to administrators by the rules.
  package init(_ dispatcher: Dispatcher, access: Access? = nil) {
    (self.dispatcher, self.access) = (dispatcher, access)
  }

  package func dialogue(
    with caller: Caller, _ usage: PeerUsage, _ limits: Limits, wake: @escaping @Sendable () -> Void
  ) -> any Dialogue {
    let isAdministrator = caller.access == .admin
    var caller = caller
    caller.access = access ?? caller.access
    let session = Session(
      caller: caller, usage: usage, heldBytesLimit: limits.heldBytesPerUID, languages: dispatcher.languages)
    session.whenWaiting(wake)
    return JSONRPCDialogue(
      Conversation(dispatcher, session: session, usage: usage, limits: limits, isAdministrator: isAdministrator),
      session, limits, access: access)
  }

  package func renew(_ dialogue: any Dialogue, with caller: Caller) {
    (dialogue as? JSONRPCDialogue)?.adopt(dispatcher)
  }

  /// Writes the refusal as a line, because the caller's framing is unknown.
  package func text(of refusal: Refusal) -> [UInt8] {
    RPCError(refusal).line(in: dispatcher.languages.current.standard)
  }
}
