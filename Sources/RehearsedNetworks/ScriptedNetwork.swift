package import Registration

/// Plays a script: answers, delays and faults, per operation and call number. What it accepted it keeps accepting, for
/// the same id, as an upstream does that knows the Idempotency-Key; another id with the same address is then taken.
package actor ScriptedNetwork: NetworkService {
  private let script: Script
  private var checkCalls = 0
  private var registerCalls = 0
  private var holders: [EmailKey: AccountID] = [:]

  package init(_ script: Script) { self.script = script }

  package func isAvailable(_ email: EmailAddress) async throws(NetworkFailure) -> Bool {
    let step = step(script.checkEmail, checkCalls)
    checkCalls += 1
    try await pause(step.delay)
    switch step.answer {
    case .accept: return holders[email.key] == nil
    case .taken: return false
    case .fail(let failure): throw failure
    }
  }

  package func register(_ registration: UpstreamRegistration) async throws(NetworkFailure) -> UpstreamAnswer {
    let step = step(script.register, registerCalls)
    registerCalls += 1
    try await pause(step.delay)
    switch step.answer {
    case .accept:
      let holder = holders[registration.email.key, default: registration.id]
      holders[registration.email.key] = holder
      return holder == registration.id ? .registered : .taken
    case .taken: return holders[registration.email.key] == registration.id ? .registered : .taken
    case .fail(let failure): throw failure
    }
  }

  private func step(_ steps: [Script.Step], _ call: Int) -> Script.Step {
    steps.isEmpty ? Script.Step(.accept) : steps[min(call, steps.count - 1)]
  }

  private func pause(_ delay: Duration) async throws(NetworkFailure) {
    guard delay > .zero else { return }
    do { try await Task.sleep(for: delay) } catch { throw .timeout }
  }
}
