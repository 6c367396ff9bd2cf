internal import Daemon
internal import Linux

/// The part of an operator's configuration that is simulated: all that decides about callers and the upstream, but
/// nothing about the machine.
struct OwnConfiguration {
  /// The text of the file.
  let text: String
  /// Command-line options that replace the operator's values by those that the simulator needs.
  let replaced: [String]
  /// The operator's settings that are not simulated, a line each.
  let notPlayed: [String]
  let network: Scenario.Network
  let terms: Terms
  private let minimumLength: Int
  private let maximumLength: Int

  /// Keys that are always simulated with these values, because with other values regd gives answers that the oracle
  /// cannot judge.
  private static let fixed: [(key: String, value: String)] = [
    ("registration.mode", "open"), ("registration.approval", "none"), ("registration.conceal", "false"),
    ("registration.verification", "none"), ("registration.terms.version", "\"\""),
    ("registration.terms.url", "\"\""), ("mail.backend", "none"),
    ("signIn.authority", "store"), ("signIn.offline", "refuse"), ("access.admin.root", "true"),
    ("email.allowedDomains", "[]"), ("email.blockedDomains", "[]"), ("email.blockedDomainsFile", "\"\""),
    ("password.breachedList", "\"\""), ("messages.directory", "\"\""), ("messages.language", "en"),
    ("limits.idleSeconds", "0"), ("limits.requestsPerSecondPerUID", "0"), ("store.sqlite.readOnly", "false"),
    ("store.sqlite.maximumKiB", "0"),
  ]
  /// The least values of limits. With lower ones, simulated callers would meet errors that the oracle cannot judge.
  private static let least: [(key: String, value: Int)] = [
    ("limits.messageBytes", 4096), ("limits.depth", 8), ("limits.batchItems", 8), ("limits.idBytes", 64),
    ("limits.responseBytes", 1_048_576), ("limits.inFlightPerUID", 256), ("limits.connections", 256),
    ("limits.connectionsPerUID", 64), ("limits.queuedBytesPerConnection", 1_048_576), ("limits.stalledSeconds", 30),
    ("email.maximumLength", 64),
  ]
  /// Options that put accounts on the simulated disk. An operator's address of a database server is not read, because
  /// it may contain a password.
  private static let machine = ["--store-backend=sqlite", "--socket-group="]

  /// - Throws: `ConfigurationError`, with all that regd would refuse.
  static func read(_ path: String) throws -> OwnConfiguration {
    // with the file's own path, problems show the right place, and the folder of messages is found
    let source = ConfigurationSource(file: path, arguments: machine, environment: [:])
    let configuration = try Player.finish { try await source.load() }
    return OwnConfiguration(configuration, try FileReading.text(path))
  }

  private init(_ configuration: Configuration, _ text: String) {
    self.text = text
    func number(_ key: String) -> Int {
      configuration.value(of: key).flatMap { Double($0) }.map { Int($0.rounded(.up)) } ?? 0
    }
    var (replaced, notPlayed): ([String], [String]) = (Self.machine, [])
    func replace(_ key: String, _ value: String) {
      replaced.append("--\(Self.option(key))=\(["\"\"", "[]"].contains(value) ? "" : value)")
    }
    for (key, value) in Self.fixed {
      guard let own = configuration.value(of: key), own != value else { continue }
      replace(key, value)
      if key != "access.admin.root" { notPlayed.append("\(key): \(own) (\(value) is simulated)") }
    }
    for (key, value) in Self.least where number(key) < value {
      replace(key, "\(value)")
      notPlayed.append("\(key): \(number(key)) (\(value) is simulated)")
    }
    let backend = configuration.value(of: "network.backend")
    let defers = configuration.value(of: "network.whenUnreachable") == "defer"
    network = backend == "none" ? .none : defers ? .defer : .required
    (minimumLength, maximumLength) = (number("password.minimumLength"), number("password.maximumLength"))
    (self.replaced, self.notPlayed) = (replaced, notPlayed)
    terms = Terms(
      requestSeconds: number("limits.requestSeconds"), graceSeconds: number("shutdown.graceSeconds"),
      outboxSeconds: number("network.outbox.maximumSeconds") + number("network.breaker.maximumSeconds"))
  }

  /// A key as an option is spelled: `network.whenUnreachable` is `network-when-unreachable`.
  private static func option(_ key: String) -> String {
    key.replacing(/([a-z])([A-Z])/) { "\($0.output.1)-\($0.output.2)" }.replacing(".", with: "-").lowercased()
  }

  /// Lengthens or cuts a simulated caller's password to the length that the configuration allows.
  func fitting(_ password: String) -> String {
    let long = password + String(repeating: "~horse", count: max(0, minimumLength - password.count) / 6 + 1)
    return String((password.count < minimumLength ? long : password).prefix(maximumLength))
  }
}

/// Times of the configuration, in seconds, against which promises are checked.
struct Terms {
  var requestSeconds = 10
  var graceSeconds = 5
  /// How long a registration that waits for the upstream may still take after the upstream works again.
  var outboxSeconds = 20
}
