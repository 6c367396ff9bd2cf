internal import Synchronization
internal import WireProtocols

/// The settings of a server that a reload of the configuration replaces, for new and for open connections.
struct ServerRules: Equatable, Sendable {
  var limits: Limits
  /// Which callers are administrators or observers, and which may not connect.
  var access: AccessRules

  /// The rules in force, for new connections.
  final class InForce: Sendable {
    private let rules: Mutex<ServerRules>

    init(_ rules: ServerRules) { self.rules = Mutex(rules) }

    var now: ServerRules { rules.withLock { $0 } }

    /// - Returns: Whether the new rules differ from the former ones.
    func replace(with new: ServerRules) -> Bool {
      rules.withLock { rules in
        defer { rules = new }
        return rules != new
      }
    }
  }
}
