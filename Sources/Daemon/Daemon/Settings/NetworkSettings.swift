package import Registration

/// `network`: the upstream, and simulated upstreams for tests. Each network reads its own keys.
package struct NetworkSettings: Equatable, Sendable {
  package enum WhenUnreachable: String, Sendable, CaseIterable {
    /// Refuse a registration while the upstream cannot be asked.
    case refuse
    /// Accept a registration, and deliver it later.
    case `defer`
  }

  /// The chosen network, or nil for "none", which makes this daemon the authority.
  package var chosen: (any NetworkBackend)?
  /// All backends, including the chosen one.
  let backends: [any NetworkBackend]
  package var whenUnreachable: WhenUnreachable
  /// The circuit breaker. Nil if the upstream is asked each time, even while it is known to be down.
  package var breaker: CircuitBreaker.Settings?
  package var outbox: DeliverySettings
  /// For this long after a request without an answer, regd does not trust the upstream's 409 (address taken). The
  /// request may still be in progress, and may itself take the address.
  package var disbelief: Duration

  init(_ reader: inout SettingsReader) {
    let name = reader.choice("network.backend", default: "none", of: ["none"] + reader.table.networks.map { $0.name })
    let unreachable = reader.choice(
      "network.whenUnreachable", default: "refuse", of: WhenUnreachable.allCases.map(\.rawValue))
    whenUnreachable = WhenUnreachable(rawValue: unreachable) ?? .refuse
    let rows = reader.table.networks
    let asking = rows.filter { !$0.isRehearsed }.map { $0.init(&reader, isChosen: $0.name == name) }
    breaker = Self.breaker(&reader)
    outbox = Self.outbox(&reader)
    disbelief = reader.seconds(
      "network.outbox.disbeliefSeconds", default: .seconds(900), .milliseconds(10)...(.seconds(31_536_000)))
    backends = asking + rows.filter { $0.isRehearsed }.map { $0.init(&reader, isChosen: $0.name == name) }
    chosen = backends.first { type(of: $0).name == name }
  }

  /// The chosen network's name, or "none".
  package var backend: String { chosen.map { type(of: $0).name } ?? "none" }

  package static func == (one: NetworkSettings, other: NetworkSettings) -> Bool {
    one.backend == other.backend && areEqual(one.backends, other.backends)
      && one.whenUnreachable == other.whenUnreachable && one.breaker == other.breaker && one.outbox == other.outbox
      && one.disbelief == other.disbelief
  }

  private static func breaker(_ reader: inout SettingsReader) -> CircuitBreaker.Settings? {
    let failures = reader.integer("network.breaker.failures", default: 5, 0...1_000_000)
    let (first, maximum) = pauses("network.breaker", 1, 60, &reader)
    return failures == 0 ? nil : .init(failures: failures, firstPause: first, maximumPause: maximum)
  }

  private static func outbox(_ reader: inout SettingsReader) -> DeliverySettings {
    let (first, maximum) = pauses("network.outbox", 1, 300, &reader)
    return .init(firstPause: first, maximumPause: maximum)
  }

  /// Reads the first and the longest pause of an exponential back-off.
  static func pauses(
    _ section: String, _ first: Int, _ maximum: Int, _ reader: inout SettingsReader
  ) -> (Duration, Duration) {
    let range: ClosedRange<Duration> = .milliseconds(10)...(.seconds(86_400))
    let begin = reader.seconds("\(section).firstSeconds", default: .seconds(first), range)
    let end = reader.seconds("\(section).maximumSeconds", default: .seconds(maximum), range)
    if end < begin { reader.refuse("\(section).maximumSeconds", "must not be less than \(section).firstSeconds") }
    return (begin, end)
  }
}
