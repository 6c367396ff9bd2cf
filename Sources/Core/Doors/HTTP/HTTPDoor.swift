package import Dialogues
package import Registration

/// HTTP with Basic authentication (RFC 9110, 9112, 7617), for proxies that ask here before they pass a request on: nginx's
/// `auth_request`, Caddy's `forward_auth`, and programs that can do one request.
package struct HTTPDoor: Door {
  package static let name = "http"
  package static let listensOnLoopback = true

  package let memory: Duration
  /// The callers whose word counts for whom they ask; nobody unless the configuration names somebody, not even root.
  let trusted: AccessRules.Members

  package init(_ keys: inout some ConfigurationKeys, at section: String, _ terms: DoorTerms) {
    memory = .seconds(keys.integer("\(section).memorySeconds", default: 0, 0...300))
    trusted = Self.members("\(section).trusted", &keys)
  }

  init(trusted: AccessRules.Members = AccessRules.Members(), memory: Duration = .zero) {
    (self.trusted, self.memory) = (trusted, memory)
  }

  /// Reads user ids alone: users and groups by name are for whoever knows this machine's names.
  private static func members(_ section: String, _ keys: inout some ConfigurationKeys) -> AccessRules.Members {
    var members = AccessRules.Members()
    for text in keys.list("\(section).uids", default: []) {
      if let uid = UInt32(text) {
        members.uids.insert(uid)
      } else {
        keys.refuse("\(section).uids", "must be user ids, and \"\(text)\" is none; names belong to \(section).users")
      }
    }
    return members
  }

  package func open(_ surroundings: DoorSurroundings) -> any WireProtocol {
    DoorWire(Self.name, surroundings, memory: memory) { caller in HTTPSpeaker(isTrusted: trusts(caller)) }
  }

  /// Whether a caller's word counts for whom it asks. The kernel names a caller's user and its first group; a group that it has besides
  /// does not make it trusted.
  ///
  /// Over TCP the kernel names nobody, so that everybody on this machine could say every address: callers without a group of the
  /// kernel's are never trusted, whatever user stands for them. A proxy that is to be trusted takes the Unix socket.
  func trusts(_ caller: Caller) -> Bool {
    guard caller.gid != .max else { return false }
    return trusted.uids.contains(caller.uid) || trusted.gids.contains(caller.gid)
  }
}
