internal import JSONRPC
internal import Synchronization

/// What a reload of the configuration changes of a server: every connection is told, too.
struct ServerRules: Equatable, Sendable {
  var limits: Limits
  /// Which callers are administrators or observers.
  var access: AccessRules

  /// The rules that are in force, for connections that come.
  final class InForce: Sendable {
    private let rules: Mutex<ServerRules>

    init(_ rules: ServerRules) { self.rules = Mutex(rules) }

    var now: ServerRules { rules.withLock { $0 } }

    /// - Returns: Whether they are others than before.
    func replace(with new: ServerRules) -> Bool {
      rules.withLock { rules in
        defer { rules = new }
        return rules != new
      }
    }
  }
}
