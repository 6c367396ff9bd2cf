import StoreModels
import TestDoubles

@testable import Registration

/// One step of a caller: does the operation that its function asks for, or performs its conductor's action, and continues
/// up to the next one that asks the store or the upstream.
extension ExploredWorld {
  mutating func begin(_ call: ExploredCall, by caller: Int) async throws(Violation) {
    callers[caller].run = ExploredRun(call: call, began: now, work: .function(nil))
    spend(call, by: caller)
    try await resume(caller)
    try await step(caller)
  }

  private func id(_ name: Int) -> ClaimID { ids[name] ?? ClaimID() }

  private mutating func spend(_ call: ExploredCall, by caller: Int) {
    switch call {
    case .register, .startRecovery: callers[caller].left.registers -= 1
    case .resend: callers[caller].left.resends -= 1
    case .prove(_, let code), .finishRecovery(_, let code):
      if code == Self.noCode { callers[caller].left.wrongCodes -= 1 } else { callers[caller].left.proofs -= 1 }
    }
  }

  /// - Parameter upstream: The upstream's behaviour, if the action asks the upstream.
  mutating func step(_ caller: Int, _ upstream: Upstream? = nil) async throws(Violation) {
    guard let run = callers[caller].run else { return }
    switch run.work {
    case .function(nil): break
    case .function(let operation?):
      let answer = try ask(operation, by: caller)
      callers[caller].run?.steps.append((operation, answer))
      try await resume(caller)
    // it has joined another caller's attempt
    case .registration(_, .finish): try await go(caller, run.work)
    case .registration(var conductor, let action):
      guard let event = try done(action, caller, upstream) else { return }
      let next = conductor.next(event)
      try await go(caller, .registration(conductor, next))
    }
  }

  /// Calls the function of the caller's call again with the answers so far, up to the next operation that it asks for, or
  /// to its end.
  private mutating func resume(_ caller: Int) async throws(Violation) {
    guard let run = callers[caller].run else { return }
    let role = callers[caller].left
    let requester = Requester(uid: role.uid, pid: 1)
    let script = StoreScript(repeating: run.steps)
    let registrar = Registrar(over: script, setting.terms, at: Self.time(run.began), code: codes)
    switch run.call {
    case .register:
      let request = role.hasRequest ? RequestKey(uid: role.uid, id: "r\(caller)") : nil
      let outcome = await registrar.claim(
        Self.email, password(caller), Entrance(), request: request, language: nil, by: requester, mayCommit: { true })
      if !asks(script, caller) { try end(caller, script.first(of: outcome)) }
    case .resend(let name):
      let outcome = await registrar.resend(id(name), by: requester)
      if !asks(script, caller) { try end(caller, outcome) }
    case .startRecovery:
      let outcome = await registrar.startRecovery(Self.email.typed, language: nil, by: requester)
      if !asks(script, caller) { try end(caller, script.first(of: outcome)) }
    case .finishRecovery(let name, let code):
      let outcome = await registrar.finishRecovery(
        id(name), code: Self.digits(code), password: password(caller), confirmation: password(caller), by: requester)
      if !asks(script, caller) { try end(caller, outcome) }
    case .prove(let name, let code):
      var registering: AddressClaim?
      let outcome = await registrar.proof(
        of: id(name), code: Self.digits(code), by: requester,
        registering: { claim in
          if let registered = run.registered { return registered }
          registering = claim
          return .obstructed(.cancelled)
        })
      if let registering {
        try await register(registering, caller)
      } else if !asks(script, caller) {
        try end(caller, outcome)
      }
    }
  }

  /// Begins the registration within a proof.
  private mutating func register(_ claim: AddressClaim, _ caller: Int) async throws(Violation) {
    guard let conductor = RegistrationConductor(proving: claim, hasUpstream: !setting.upstream.isEmpty, now: time)
    else { throw Violation(description: "a registration by a claim of another kind") }
    callers[caller].run?.trail.add(now)
    try await go(caller, .registration(conductor, conductor.first))
  }

  /// Returns the code of each claim, given the claim's id, a space, and the number of the code.
  private var codes: @Sendable (String) -> UInt64 {
    let named = names.reduce(into: [String: Int]()) { $0["\($1.key)"] = $1.value }
    return { text in
      let parts = text.split(separator: " ")
      guard parts.count == 2, let name = named[String(parts[0])], let generation = UInt64(parts[1]) else { return 0 }
      return UInt64(name) * 10 + generation
    }
  }

  /// Whether the function asks for another operation.
  private mutating func asks(_ script: StoreScript, _ caller: Int) -> Bool {
    guard let operation = script.next else { return false }
    callers[caller].run?.work = .function(operation)
    return true
  }

  /// Makes this the caller's next action. If the registration has ended, continues the proof.
  private mutating func go(_ caller: Int, _ work: ExploredRun.Work) async throws(Violation) {
    callers[caller].run?.work = work
    guard case .registration(_, .finish(let outcome)) = work else { return }
    release(caller, outcome)
    callers[caller].run?.registered = outcome
    try await resume(caller)
  }

  // MARK: Ends

  private mutating func end(_ caller: Int, _ outcome: RegistrationOutcome) throws(Violation) {
    callers[caller].run = nil
    switch outcome {
    case .claimed(let claim): try told(claim, caller)
    case .registered, .taken, .conflict: break
    case .deferred, .claimGone, .invitationRejected, .obstructed:
      throw Violation(description: "a registration came to \(outcome)")
    }
  }

  private mutating func end(_ caller: Int, _ outcome: ProofOutcome) throws(Violation) {
    callers[caller].run = nil
    switch outcome {
    case .proven, .codeRejected, .gone, .taken, .obstructed(.network, _): break
    case .deferred, .obstructed:
      throw Violation(description: "a proof came to \(outcome)")
    }
  }

  private mutating func end(_ caller: Int, _ outcome: ClaimOutcome) throws(Violation) {
    callers[caller].run = nil
    switch outcome {
    case .claimed(let claim): try told(claim, caller)
    case .taken, .gone, .tooSoon: break
    case .changed, .refused, .obstructed:
      throw Violation(description: "a resend came to \(outcome)")
    }
  }

  /// (f): a repeated registration with the same name returns the same claim, also after a crash.
  private mutating func told(_ claim: AddressClaim, _ caller: Int) throws(Violation) {
    guard let name = names[claim.id] else { throw Violation(description: "a claim that is not in the store") }
    guard claim.uid == callers[caller].left.uid else { throw Violation(description: "another user's claim was told") }
    callers[caller].told.insert(name)
    guard claim.request != nil else { return }
    if let before = callers[caller].requested, before != name,
      let other = ids[before].flatMap({ model.claims[$0] }), other.expiresAt > time, other.state == .open
    {
      throw Violation(description: "one request has two claims, \(before) and \(name)")
    }
    callers[caller].requested = name
  }
}
