package import Registration

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
