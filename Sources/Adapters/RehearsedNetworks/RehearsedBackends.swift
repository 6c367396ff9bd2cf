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

/// Plays a script: answers, delays and faults, by operation and call number. Once it has accepted a registration, it
/// accepts the same id again, like an upstream that honours the Idempotency-Key. For another id, the address is taken.
package actor ScriptedNetwork: NetworkService {
  private let script: Script
  private var calls: [Script.Operation: Int] = [:]
  private var holders: [EmailKey: AccountID] = [:]

  package init(_ script: Script) { self.script = script }

  package func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool {
    let step = try await next(.checkEmail)
    if let failure = step.failure { throw failure }
    return step.answer == .accept && holders[email.key] == nil
  }

  package func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure)
    -> UpstreamAnswer
  {
    let step = try await next(.register)
    let key = registration.email.key
    if step.answer == .accept || step.hasActed { holders[key] = holders[key] ?? registration.id }
    if let failure = step.failure { throw failure }
    return step.answer != .atWork && holders[key] == registration.id ? .registered : .taken
  }

  /// Accepts every password if the script's step is `accept`. A cancelled call skips the rest of its delay, and gets the
  /// same answer.
  package func signIn(_ email: EmailAddress, _ password: Password, for share: Share) async throws(NetworkFailure)
    -> UpstreamSession
  {
    let step = try await next(.signIn, isCancellable: false)
    if case .fault(let fault) = step.answer, fault.refusesSession { return .refused }
    if let failure = step.failure { throw failure }
    guard step.answer == .accept else { return .rejected }
    return .accepted(id: holders[email.key]?.description ?? email.key.value)
  }

  private func next(_ operation: Script.Operation, isCancellable: Bool = true) async throws(NetworkFailure)
    -> Script.Step
  {
    let step = script.step(of: operation, call: calls[operation, default: 0])
    calls[operation, default: 0] += 1
    guard step.delay > .zero else { return step }
    do { try await Task.sleep(for: step.delay) } catch { if isCancellable { throw .timeout } }
    return step
  }
}
