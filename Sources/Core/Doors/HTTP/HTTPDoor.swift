internal import Registration
package import WireProtocols

/// HTTP with Basic authentication (RFC 9110, 9112, 7617). It serves proxies that ask regd before they pass a request on
/// (nginx's `auth_request`, Caddy's `forward_auth`), and programs that can send one request.
package struct HTTPDoor: Door {
  package static let name = "http"
  package static let listensOnLoopback = true

  package let memory: Duration
  /// The callers who may name the client for which they ask. Without configuration no caller may do so, not even root.
  /// Nil if the configuration names no caller.
  let trusted: AccessRules.Members?

  package init(_ keys: inout some DoorKeys, at section: String, _ terms: DoorTerms) {
    memory = .seconds(keys.integer("\(section).memorySeconds", default: 0, 0...300))
    trusted = keys.members("\(section).trusted")
  }

  init(trusted: AccessRules.Members? = nil, memory: Duration = .zero) {
    (self.trusted, self.memory) = (trusted, memory)
  }

  package var trustsPeers: Bool { trusted != nil }

  package func open(_ context: DoorContext) -> any WireProtocol {
    DoorWire(Self.name, context, memory: memory) { caller in HTTPLoginProtocol(isTrusted: trusts(caller)) }
  }

  /// Whether a caller may name the client for which it asks. The kernel names a caller's user and primary group. The
  /// caller's other groups do not make it trusted.
  ///
  /// Over TCP the kernel does not name the caller, and any process on this machine could claim any address. Such a
  /// caller is therefore never trusted. A proxy that is to be trusted must use the Unix socket.
  func trusts(_ caller: Peer) -> Bool {
    guard caller.isNamed, let trusted else { return false }
    return trusted.have(uid: caller.uid, gid: caller.gid)
  }
}
