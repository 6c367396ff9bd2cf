package import JSONRPC

/// What a daemon says about itself.
package struct ServerInfo: Sendable {
  package var version: String
  package var limits: Limits
  /// The name of the network backend, as the configuration has it.
  package var network: String
  /// The name of the store backend, as the configuration has it.
  package var store: String
  package var environment: Environment?
  /// Whole seconds since the daemon started.
  package var uptimeSeconds: @Sendable () -> Int

  /// What a daemon that runs on an environment file is there to show.
  package struct Environment: Equatable, Sendable {
    package var name: String
    package var summary: String
    /// The condition that callers meet.
    package var gives: String

    package init(name: String, summary: String, gives: String) {
      self.name = name
      self.summary = summary
      self.gives = gives
    }
  }

  package init(
    version: String, limits: Limits, network: String, store: String, environment: Environment?,
    uptimeSeconds: @escaping @Sendable () -> Int
  ) {
    self.version = version
    self.limits = limits
    self.network = network
    self.store = store
    self.environment = environment
    self.uptimeSeconds = uptimeSeconds
  }
}

/// `rpc.serverInfo`: which regd this is, and how much it takes.
enum ServerInfoMethod {
  static func make(_ info: ServerInfo) -> Method {
    Method(
      "rpc.serverInfo", "Says which regd this is, what it runs on and its limits.",
      .immediate { _, _ in reply(info) })
  }

  private static func reply(_ info: ServerInfo) -> Reply {
    .object { writer in
      writer.member("name", "regd")
      writer.member("version", info.version)
      writer.member("uptimeSeconds", info.uptimeSeconds())
      writer.member("limits", object: { limits(info.limits, &$0) })
      writer.member("network", object: { $0.member("backend", info.network) })
      writer.member("store", object: { $0.member("backend", info.store) })
      guard let environment = info.environment else { return }
      writer.member(
        "environment",
        object: { writer in
          writer.member("name", environment.name)
          writer.member("summary", environment.summary)
          writer.member("gives", environment.gives)
        })
    }
  }

  private static func limits(_ limits: Limits, _ writer: inout JSONWriter) {
    writer.member("messageBytes", limits.messageBytes)
    writer.member("depth", limits.depth)
    writer.member("batchItems", limits.batchItems)
    writer.member("inFlightPerConnection", limits.inFlightPerConnection)
    writer.member("connections", limits.connections)
  }
}
