internal import HTTPNetwork
internal import Logging
internal import Registration
internal import RehearsedNetworks

/// The table that names network backends. A new one is a file that conforms to `NetworkService`, and a line here.
enum NetworkBackends {
  /// A network, and how it is stopped.
  struct Open: Sendable {
    let network: any NetworkService
    /// Whether it tells the log of its failures by itself, with more than the rest of regd knows of them.
    var reportsFailures = false
    var stop: @Sendable () -> Void = {}
  }

  /// What a backend is given besides its settings.
  struct Surroundings: Sendable {
    let logger: Logger
    let time: any TimeSource
  }

  /// Nil is no network: this daemon is the authority.
  typealias Make = @Sendable (NetworkSettings, Surroundings) throws(StartupFailure) -> Open?

  private static let table: [(name: String, make: Make)] = [
    ("none", { (_, _) throws(StartupFailure) in nil }),
    ("http", http),
    ("offline", { (_, _) throws(StartupFailure) in Open(network: OfflineNetwork()) }),
    (
      "unavailable",
      { (settings, _) throws(StartupFailure) in
        Open(network: UnavailableNetwork(retryAfterSeconds: settings.unavailableRetryAfterSeconds))
      }
    ),
    ("scripted", { (settings, _) throws(StartupFailure) in Open(network: ScriptedNetwork(settings.script)) }),
  ]

  static var names: [String] { table.map(\.name) }

  static func make(_ settings: NetworkSettings, _ surroundings: Surroundings) throws(StartupFailure) -> Open? {
    // no network at all would be a daemon that is the authority: nothing that a mistake may make of it
    guard let row = table.first(where: { $0.name == settings.backend }) else {
      throw StartupFailure(.configuration, "network.backend: there is no network backend \"\(settings.backend)\"")
    }
    return try row.make(settings, surroundings)
  }

  @Sendable private static func http(
    _ settings: NetworkSettings, _ surroundings: Surroundings
  ) throws(StartupFailure) -> Open? {
    let logger = surroundings.logger
    for (key, path) in settings.http.files {
      guard case .unreadable(let number) = PEMFile.condition(path) else { continue }
      logger.warning(
        "network.http.\(key): \(path) cannot be read (\(SystemError.text(number))); the upstream is not trusted until it can"
      )
    }
    do {
      let network = try HTTPNetwork(settings.http.configuration, time: surroundings.time) { report in
        logger.notice(
          "the upstream failed",
          metadata: [
            "operation": "\(report.operation)", "failure": "\(report.failure)",
            "status": "\(report.status.map { "\($0)" } ?? "none")", "sent": "\(report.sendings)",
            "milliseconds": "\(report.milliseconds)", "message": "\(report.message)",
          ])
      }
      return Open(network: network, reportsFailures: true, stop: network.stop)
    } catch {
      switch error {
      case .unusable(let problem): throw StartupFailure(.configuration, "network.http: \(problem)")
      case .libraryFailed: throw StartupFailure(.operatingSystem, "libcurl cannot be set up")
      case .threadFailed(let number):
        throw StartupFailure(.operatingSystem, "the network's thread: \(SystemError.text(number))")
      }
    }
  }
}

extension HTTPSettings {
  fileprivate var configuration: HTTPNetwork.Configuration {
    HTTPNetwork.Configuration(
      baseURL: baseURL, allowsPlaintext: allowPlaintext, caFile: caFile.ifAny, bearerToken: bearerToken.value.ifAny,
      clientCertificateFile: clientCertificateFile.ifAny, clientKeyFile: clientKeyFile.ifAny, connect: connect,
      total: total, maximumBodyBytes: responseBytes, userAgent: "regd/\(Version.current)")
  }
}

extension String {
  fileprivate var ifAny: String? { isEmpty ? nil : self }
}
