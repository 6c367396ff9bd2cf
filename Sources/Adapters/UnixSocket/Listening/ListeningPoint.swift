internal import Linux
internal import Synchronization
package import WireProtocols

/// A row of the server's table: a socket, its protocol, and who may connect.
package struct ListeningPoint: Sendable {
  /// Unique in the table. The same name with the same socket means the same listening point after a reload.
  package let name: String
  package let socket: ListeningSocket
  package let wire: any WireProtocol
  /// Returns the caller of a connection's descriptor, or nil if it is unknown.
  let peer: @Sendable (Int32) -> Peer?
  /// The users who may connect. Nil means every caller that the socket's mode lets in. regd closes the connections of
  /// other users without sending a byte.
  let admitted: AccessRules.Members?

  /// - Parameters:
  ///   - admitting: The users who may connect, in addition to root. Nil means every caller that the socket's mode lets in.
  ///   - peer: Returns the caller of a connection's descriptor. Without this function, regd asks the kernel, which
  ///     knows only the callers of Unix sockets.
  package init(
    _ name: String, _ socket: ListeningSocket, _ wire: any WireProtocol, admitting admitted: AccessRules.Members? = nil,
    peer: (@Sendable (_ descriptor: Int32) -> Peer?)? = nil
  ) {
    (self.name, self.socket, self.wire, self.admitted) = (name, socket, wire, admitted)
    self.peer = peer ?? { Acceptor.peer(of: Descriptor(borrowing: $0)) }
  }

  /// A listening point for `daemon.status`.
  package struct Status: Sendable {
    package let name: String
    /// The name of the wire protocol.
    package let wire: String
    package let address: String
    /// Connections that are open. Refused connections do not count.
    package let connections: Int
  }
}

/// A listening point that the server has opened.
final class Listener: Sendable {
  let name: String
  let socket: ListeningSocket
  /// The token of the socket's events.
  let token: UInt64
  let peer: @Sendable (Int32) -> Peer?
  let connections = Atomic<Int>(0)
  private let draining = Atomic<Bool>(false)
  private let current: Mutex<ListeningPoint>

  init(_ point: ListeningPoint, token: UInt64) {
    (name, socket, peer, self.token) = (point.name, point.socket, point.peer, token)
    current = Mutex(point)
  }

  func serves(_ point: ListeningPoint) -> Bool {
    name == point.name && socket.isSame(as: point.socket)
  }

  /// The protocol that new connections speak.
  var wire: any WireProtocol { current.withLock { $0.wire } }

  /// Whether a caller may connect. Root always may.
  func admits(_ caller: Peer, on socket: borrowing Descriptor) -> Bool {
    guard let members = current.withLock({ $0.admitted }), caller.uid != 0 else { return true }
    return members.have(uid: caller.uid, gid: caller.gid) || members.have(groups: socket.peerGroups() ?? [])
  }

  /// Whether the protocol has words for the refusal. If not, the refused caller's connection is closed without a byte.
  func explains(_ refusal: Refusal) -> Bool { !wire.text(of: refusal).isEmpty }

  /// Gives new connections the point's protocol, and its rule for who may connect.
  func adopt(_ point: ListeningPoint) { current.withLock { $0 = point } }

  /// Whether the listening point stops. Once true, this never becomes false again.
  var isDraining: Bool { draining.load(ordering: .acquiring) }

  func beginDraining() { draining.store(true, ordering: .releasing) }

  var status: ListeningPoint.Status {
    ListeningPoint.Status(
      name: name, wire: wire.name, address: socket.path, connections: connections.load(ordering: .relaxed))
  }
}

/// The listening points that a server has opened, in their order.
package final class ListenerTable: Sendable {
  private struct State {
    var listeners: [Listener] = []
    var lastToken: UInt64 = 0
  }

  private let state = Mutex(State())

  package init() {}

  package var points: [ListeningPoint.Status] { all.map(\.status) }

  var all: [Listener] { state.withLock { $0.listeners } }

  /// Makes `points` the table: adds a listener for each new point, removes each listener without a point, and gives
  /// every remaining listener the protocol and admission rule of its point.
  func replace(with points: [ListeningPoint]) -> (added: [Listener], removed: [Listener]) {
    state.withLock { state in
      var (added, kept): ([Listener], [Listener]) = ([], [])
      for point in points {
        if let same = state.listeners.first(where: { $0.serves(point) }) {
          same.adopt(point)
          kept.append(same)
        } else {
          state.lastToken += 1
          added.append(Listener(point, token: state.lastToken))
        }
      }
      let removed = state.listeners.filter { old in !kept.contains { $0 === old } }
      state.listeners = kept + added
      return (added, removed)
    }
  }
}
