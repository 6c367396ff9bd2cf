internal import Registration
internal import RehearsedNetworks

/// The table that names network backends. A new one is a file that conforms to `NetworkService`, and a line here.
enum NetworkBackends {
  /// Nil is no network: this daemon is the authority.
  typealias Make = @Sendable (NetworkSettings) throws(StartupFailure) -> (any NetworkService)?

  private static let table: [(name: String, make: Make)] = [
    ("none", { (_) throws(StartupFailure) in nil }),
    ("offline", { (_) throws(StartupFailure) in OfflineNetwork() }),
    (
      "unavailable",
      { (settings) throws(StartupFailure) in
        UnavailableNetwork(retryAfterSeconds: settings.unavailableRetryAfterSeconds)
      }
    ),
    ("scripted", { (settings) throws(StartupFailure) in ScriptedNetwork(settings.script) }),
  ]

  static var names: [String] { table.map(\.name) }

  static func make(_ settings: NetworkSettings) throws(StartupFailure) -> (any NetworkService)? {
    guard let row = table.first(where: { $0.name == settings.backend }) else { return nil }
    return try row.make(settings)
  }
}
