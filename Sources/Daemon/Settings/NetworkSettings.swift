package import RehearsedNetworks

/// `network`: the upstream, and the networks for rehearsing.
package struct NetworkSettings: Equatable, Sendable {
  /// A name from `NetworkBackends`.
  package var backend: String
  /// Nil for a 503 without Retry-After.
  package var unavailableRetryAfterSeconds: Int?
  package var script: Script

  init(_ reader: inout SettingsReader) {
    backend = reader.choice("network.backend", default: "none", of: NetworkBackends.names)
    let retryAfter = reader.integer("network.unavailable.retryAfterSeconds", default: 30, 0...86_400)
    unavailableRetryAfterSeconds = retryAfter == 0 ? nil : retryAfter
    script = Script(
      checkEmail: Self.steps("network.scripted.checkEmail", &reader),
      register: Self.steps("network.scripted.register", &reader))
  }

  private static func steps(_ key: String, _ reader: inout SettingsReader) -> [Script.Step] {
    let texts = reader.list(key, default: ["accept"])
    if texts.isEmpty { reader.refuse(key, "must have one step at least, such as accept") }
    var steps: [Script.Step] = []
    for text in texts {
      do throws(Script.Step.Malformed) {
        steps.append(try Script.Step(text))
      } catch {
        reader.refuse(key, "\"\(text)\" cannot be played: \(error.message)")
      }
    }
    return steps
  }
}
