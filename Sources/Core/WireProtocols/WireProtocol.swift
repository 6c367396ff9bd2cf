/// The protocol of a listening point: makes a session for each connection. A reload may replace the protocol.
/// Sessions that have begun continue, and `renew` updates them.
package protocol WireProtocol: Sendable {
  /// The name for operators, such as `json-rpc`.
  var name: String { get }

  /// - Parameter wake: Notifies the connection, from any thread, that `SessionReadiness.notificationBytes` is no longer nil.
  func session(
    with caller: Peer, _ quota: PeerQuota, _ limits: Limits, wake: @escaping @Sendable () -> Void
  ) -> any ProtocolSession

  /// Applies the current rights and names to a session that this protocol began before a reload. Called on the
  /// session's thread. The call does not change work in flight.
  func renew(_ session: any ProtocolSession, with caller: Peer)

  /// Adapts the configured limits to the protocol, for example with a shorter time for a request.
  func limits(_ limits: Limits) -> Limits

  /// The bytes for a caller that is refused before it has sent anything. If the array is empty, the connection closes
  /// without sending a byte.
  func text(of refusal: Refusal) -> [UInt8]
}

extension WireProtocol {
  package func renew(_ session: any ProtocolSession, with caller: Peer) {}
  package func limits(_ limits: Limits) -> Limits { limits }
  package func text(of refusal: Refusal) -> [UInt8] { [] }
}
