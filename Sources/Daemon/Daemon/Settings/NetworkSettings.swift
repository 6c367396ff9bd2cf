package import Registration
package import RehearsedNetworks

/// `network`: the upstream, and the networks for rehearsing.
package struct NetworkSettings: Equatable, Sendable {
  package enum WhenUnreachable: String, Sendable, CaseIterable {
    /// A registration is refused while the upstream cannot be asked.
    case refuse
    /// It is accepted, and delivered later.
    case `defer`
  }

  /// A name from `NetworkBackends`.
  package var backend: String
  package var whenUnreachable: WhenUnreachable
  package var http: HTTPSettings
  /// Nil where the upstream is asked each time, whether it is known to be down or not.
  package var breaker: CircuitBreaker.Settings?
  package var outbox: DeliverySchedule.Settings
  /// How long a 409 is not believed behind an ask that may still be at work.
  package var disbelief: Duration
  /// Nil for a 503 without Retry-After.
  package var unavailableRetryAfterSeconds: Int?
  package var script: Script

  init(_ reader: inout SettingsReader) {
    backend = reader.choice("network.backend", default: "none", of: NetworkBackends.names)
    let unreachable = reader.choice(
      "network.whenUnreachable", default: "refuse", of: WhenUnreachable.allCases.map(\.rawValue))
    whenUnreachable = WhenUnreachable(rawValue: unreachable) ?? .refuse
    http = HTTPSettings(&reader, isUsed: backend == "http")
    breaker = Self.breaker(&reader)
    outbox = Self.outbox(&reader)
    disbelief = reader.seconds(
      "network.outbox.disbeliefSeconds", default: .seconds(900), .milliseconds(10)...(.seconds(31_536_000)))
    let retryAfter = reader.integer("network.unavailable.retryAfterSeconds", default: 30, 0...86_400)
    unavailableRetryAfterSeconds = retryAfter == 0 ? nil : retryAfter
    script = Script(
      checkEmail: Self.steps(.checkEmail, &reader), register: Self.steps(.register, &reader),
      signIn: Self.steps(.signIn, &reader), repeats: reader.flag("network.scripted.repeat", default: false))
  }

  private static func breaker(_ reader: inout SettingsReader) -> CircuitBreaker.Settings? {
    let failures = reader.integer("network.breaker.failures", default: 5, 0...1_000_000)
    let (first, maximum) = pauses("network.breaker", 1, 60, &reader)
    return failures == 0 ? nil : .init(failures: failures, firstPause: first, maximumPause: maximum)
  }

  private static func outbox(_ reader: inout SettingsReader) -> DeliverySchedule.Settings {
    let (first, maximum) = pauses("network.outbox", 1, 300, &reader)
    return .init(firstPause: first, maximumPause: maximum)
  }

  /// A pause that is doubled, and where that ends.
  private static func pauses(
    _ section: String, _ first: Int, _ maximum: Int, _ reader: inout SettingsReader
  ) -> (Duration, Duration) {
    let range: ClosedRange<Duration> = .milliseconds(10)...(.seconds(86_400))
    let begin = reader.seconds("\(section).firstSeconds", default: .seconds(first), range)
    let end = reader.seconds("\(section).maximumSeconds", default: .seconds(maximum), range)
    if end < begin { reader.refuse("\(section).maximumSeconds", "must not be less than \(section).firstSeconds") }
    return (begin, end)
  }

  private static func steps(_ operation: Script.Operation, _ reader: inout SettingsReader) -> [Script.Step] {
    let key = "network.scripted.\(operation.rawValue)"
    let texts = reader.list(key, default: ["accept"])
    if texts.isEmpty { reader.refuse(key, "must have one step at least, such as accept") }
    var steps: [Script.Step] = []
    for text in texts {
      do throws(Script.Step.Malformed) {
        let step = try Script.Step(text)
        if !step.isAnswer(to: operation) {
          let word = operation == .signIn ? "wrong" : "taken"
          reader.refuse(key, "\"\(text)\" is no answer to \(operation.rawValue); \"\(word)\" is")
        }
        steps.append(step)
      } catch {
        reader.refuse(key, "\"\(text)\" cannot be played: \(error.message)")
      }
    }
    return steps
  }
}
