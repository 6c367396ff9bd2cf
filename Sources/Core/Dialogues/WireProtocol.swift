/// The protocol of a listening point: makes a dialogue for each connection. A reload may replace it; dialogues that
/// have begun continue, and are renewed.
package protocol WireProtocol: Sendable {
  /// The name for operators, such as `json-rpc`.
  var name: String { get }

  /// - Parameter wake: Tells the connection, from any thread, that `Standing.notificationBytes` is no longer nil.
  func dialogue(
    with caller: Caller, _ usage: PeerUsage, _ limits: Limits, wake: @escaping @Sendable () -> Void
  ) -> any Dialogue

  /// Gives a dialogue that this protocol, as it was before a reload, has begun the rights and names of now. Called on the
  /// dialogue's thread. Questions in flight are answered as they were asked.
  func renew(_ dialogue: any Dialogue, with caller: Caller)

  /// Adapts the configured limits to the protocol, for example with a shorter time for a request.
  func limits(_ limits: Limits) -> Limits

  /// The bytes for a caller that is refused before it has sent anything; empty to close without a byte.
  func text(of refusal: Refusal) -> [UInt8]
}

extension WireProtocol {
  package func renew(_ dialogue: any Dialogue, with caller: Caller) {}
  package func limits(_ limits: Limits) -> Limits { limits }
  package func text(of refusal: Refusal) -> [UInt8] { [] }
}
