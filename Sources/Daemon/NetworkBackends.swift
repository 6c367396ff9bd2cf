internal import Registration
internal import RehearsedNetworks

/// The table that names network backends. A new one is a file that conforms to `NetworkService`, and a line here.
enum NetworkBackends {
  /// Nil is no network: this daemon is the authority.
  typealias Make = @Sendable (NetworkSettings) -> (any NetworkService)?

  private static let table: [(name: String, make: Make)] = [
    ("none", { _ in nil }),
    ("offline", { _ in OfflineNetwork() }),
    ("unavailable", { UnavailableNetwork(retryAfterSeconds: $0.unavailableRetryAfterSeconds) }),
    ("scripted", { ScriptedNetwork($0.script) }),
  ]

  static var names: [String] { table.map(\.name) }

  static func make(_ settings: NetworkSettings) -> (any NetworkService)? {
    table.first { $0.name == settings.backend }?.make(settings)
  }
}
