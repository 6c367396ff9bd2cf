package import Registration

/// `network.backend: offline`: every call fails, as if each connection were refused.
package struct OfflineBackend: NetworkBackend {
  package static let name = "offline"
  package static let isRehearsed = true

  package init(_ keys: inout some ConfigurationKeys, isChosen: Bool) {}

  package func open(_ context: NetworkContext) throws(NetworkOpeningFailure) -> OpenNetwork {
    OpenNetwork(FailingNetwork(.offline))
  }
}

/// `network.backend: unavailable`: answers 503 to everything (RFC 9110 §15.6.4). Its key is
/// `network.unavailable.retryAfterSeconds`.
package struct UnavailableBackend: NetworkBackend {
  package static let name = "unavailable"
  package static let isRehearsed = true

  /// The Retry-After of each 503, or nil for none.
  private let retryAfterSeconds: Int?

  package init(_ keys: inout some ConfigurationKeys, isChosen: Bool) {
    let seconds = keys.integer("network.unavailable.retryAfterSeconds", default: 30, 0...86_400)
    retryAfterSeconds = seconds == 0 ? nil : seconds
  }

  package func open(_ context: NetworkContext) throws(NetworkOpeningFailure) -> OpenNetwork {
    OpenNetwork(FailingNetwork(.unavailable(retryAfterSeconds: retryAfterSeconds)))
  }
}

/// `network.backend: scripted`: plays a script. Its keys are in `network.scripted`.
package struct ScriptedBackend: NetworkBackend {
  package static let name = "scripted"
  package static let isRehearsed = true

  private let script: Script

  package init(_ keys: inout some ConfigurationKeys, isChosen: Bool) {
    script = Script(
      checkEmail: Self.steps(.checkEmail, &keys), register: Self.steps(.register, &keys),
      signIn: Self.steps(.signIn, &keys), repeats: keys.flag("network.scripted.repeat", default: false))
  }

  private static func steps(
    _ operation: Script.Operation, _ keys: inout some ConfigurationKeys
  ) -> [Script.Step] {
    let key = "network.scripted.\(operation.rawValue)"
    let texts = keys.list(key, default: ["accept"])
    if texts.isEmpty { keys.refuse(key, "must have at least one step, such as accept") }
    var steps: [Script.Step] = []
    for text in texts {
      do throws(Script.Step.Malformed) {
        let step = try Script.Step(text)
        if !step.isAnswer(to: operation) {
          let word = operation == .signIn ? "wrong" : "taken"
          keys.refuse(key, "\"\(text)\" is not an answer to \(operation.rawValue); \"\(word)\" is")
        }
        steps.append(step)
      } catch {
        keys.refuse(key, "\"\(text)\" is not a step: \(error.message)")
      }
    }
    return steps
  }

  package func open(_ context: NetworkContext) throws(NetworkOpeningFailure) -> OpenNetwork {
    OpenNetwork(ScriptedNetwork(script))
  }
}
