internal import JSONRPC
internal import Registration
package import WireProtocols

/// The information that regd gives about itself.
package struct ServerInfo: Sendable {
  package var version: String
  package var limits: Limits
  /// The name of the network backend in the configuration.
  package var network: String
  /// The name of the store backend in the configuration.
  package var store: String
  package var environment: Environment?
  package var registration: Registration
  /// Whole seconds since the daemon started.
  package var uptimeSeconds: @Sendable () -> Int

  /// The situation that regd simulates, such as an upstream that is down. Nil unless the configuration has the section
  /// `environment`, which is for tests of front ends.
  package struct Environment: Equatable, Sendable {
    package var name: String
    package var summary: String
    /// The condition that callers experience, for example `success`.
    package var gives: String

    package init(name: String, summary: String, gives: String) {
      self.name = name
      self.summary = summary
      self.gives = gives
    }
  }

  package init(
    version: String, limits: Limits, network: String, store: String, environment: Environment?,
    registration: Registration = Registration(), uptimeSeconds: @escaping @Sendable () -> Int
  ) {
    self.version = version
    self.limits = limits
    self.network = network
    self.store = store
    self.environment = environment
    self.registration = registration
    self.uptimeSeconds = uptimeSeconds
  }
}

/// `rpc.serverInfo`: identifies this regd, and names its limits.
enum ServerInfoMethod {
  static func make(_ info: Reloadable<ServerInfo>) -> Method {
    Method(
      "rpc.serverInfo", "Returns the version of regd, its backends, its limits and its rules for registrations.",
      result: schema(info.value),
      repetition: .yes,
      .immediate { _, _, result in write(info.value, &result) })
  }

  private static func schema(_ info: ServerInfo) -> Schema {
    let backend = Schema.named(
      "Backend", .object(.init("backend", .string("The backend's name in the configuration."))))
    let limits = Schema.object(
      info.limits.all.map { .init($0.name, .integer($0.unit)) },
      "The limits in force, by their keys in the configuration.")
    return .named(
      "ServerInfo",
      .object(
        .init("name", .choice(["regd"], "")), .init("version", .string("")), .init("uptimeSeconds", .integer("")),
        .init("limits", .named("Limits", limits)), .init("network", backend), .init("store", backend),
        .init(
          "environment",
          .named(
            "Environment",
            .object(.init("name", .string("")), .init("summary", .string("")), .init("gives", .string("")))),
          required: false),
        RegistrationInfo.schema))
  }

  private static func write(_ info: ServerInfo, _ writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("name", "regd")
      writer.member("version", info.version)
      writer.member("uptimeSeconds", info.uptimeSeconds())
      writer.object("limits") { writer in
        for limit in info.limits.all { writer.member(limit.name, limit.value) }
      }
      writer.object("network") { $0.member("backend", info.network) }
      writer.object("store") { $0.member("backend", info.store) }
      if let environment = info.environment {
        writer.object("environment") { writer in
          writer.member("name", environment.name)
          writer.member("summary", environment.summary)
          writer.member("gives", environment.gives)
        }
      }
      RegistrationInfo.write(info.registration, to: &writer)
    }
  }
}
