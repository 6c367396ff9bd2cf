package import Dialogues
internal import Sentences

/// JSON-RPC 2.0 over a byte stream, with the methods of a dispatcher.
package struct JSONRPCProtocol: WireProtocol {
  package let name = "json-rpc"
  private let dispatcher: Dispatcher

  package init(_ dispatcher: Dispatcher) { self.dispatcher = dispatcher }

  package func dialogue(
    with caller: Caller, _ usage: PeerUsage, _ limits: Limits, wake: @escaping @Sendable () -> Void
  ) -> any Dialogue {
    let session = Session(
      caller: caller, usage: usage, heldBytesLimit: limits.heldBytesPerUID, languages: dispatcher.languages)
    session.whenWaiting(wake)
    return JSONRPCDialogue(
      Conversation(dispatcher, session: session, usage: usage, limits: limits), session, limits)
  }

  /// The framing is unknown: the error is a line.
  package func text(of refusal: Refusal) -> [UInt8] {
    RPCError(refusal).line(in: dispatcher.languages.current.standard)
  }
}
