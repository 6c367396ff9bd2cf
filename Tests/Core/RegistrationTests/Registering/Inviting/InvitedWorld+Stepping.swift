import StoreModels
import TestDoubles

@testable import Registration

/// The drivers. They work like `Registrar`, but perform one action of the store at a time.
extension InvitedWorld {
  func register(_ caller: Int) async throws {
    callers[caller].registers += 1
    let claiming = setting.needsProof ? stamp(caller).by.share : nil
    let isInvited = callers[caller].role.isInvited
    let found =
      isInvited
      ? try await accounts.admittance(invitation.digest, email(caller), claiming: claiming, at: time).admitted : nil
    let otherwise: RegistrationOutcome? =
      isClosed ? .obstructed(.closed) : isInvited && found == nil ? .invitationRejected : nil
    if setting.needsProof {
      let claiming = await resumed(
        Claiming(entrance: Entrance(invitation: found, otherwise: otherwise), began: time), caller)
      callers[caller].run = Run(
        work: .claiming(claiming), invitation: found?.id, isLate: isClosed, isProof: false)
    } else {
      let conductor = RegistrationConductor(
        email: email(caller), hasUpstream: !setting.upstream.isEmpty, now: time, request: request(caller),
        needsApproval: needsApproval(caller, isInvited: found != nil), otherwise: otherwise)
      callers[caller].run = Run(
        work: .registering(conductor, conductor.first), invitation: found?.id, isLate: isClosed, isProof: false)
    }
  }

  /// Verifies a claim with the correct code.
  func prove(_ id: ClaimID, _ caller: Int) throws {
    callers[caller].proofs += 1
    guard let claim = rows.claim(id, at: time), claim.state == .open else { return }
    guard !isClosed || rows.account(claim.account) != nil else { return }
    let conductor = RegistrationConductor(
      proving: claim, hasUpstream: !setting.upstream.isEmpty, now: time,
      needsApproval: needsApproval(caller, isInvited: claim.invitation != nil))
    guard let conductor else { throw Violation(description: "a proof of no registration") }
    callers[caller].run = Run(
      work: .registering(conductor, conductor.first), invitation: nil, isLate: isClosed, isProof: true)
  }

  /// The hash that `PlainHasher` makes of the caller's password.
  private func hash(_ caller: Int) -> PasswordHash { PasswordHash(phc: "plain:\(caller)") }

  private func needsApproval(_ caller: Int, isInvited: Bool) -> Bool {
    AdmissionTerms(approval: setting.approval).needsApproval(email(caller), isInvited: isInvited)
  }

  /// Calls the function again with the answers so far, up to the next operation that it asks for, or to its end.
  private func resumed(_ claiming: Claiming, _ caller: Int) async -> Claiming {
    var claiming = claiming
    let script = StoreScript(repeating: claiming.steps)
    let outcome = await Registrar(over: script, Self.terms, at: claiming.began).claim(
      email(caller), Fixtures.password("\(caller)"), claiming.entrance, request: request(caller), language: nil,
      by: stamp(caller).by, mayCommit: { true })
    claiming.operation = script.next
    claiming.outcome = claiming.operation == nil ? script.first(of: outcome) : nil
    return claiming
  }

  func step(_ caller: Int, _ upstream: Upstream?) async throws {
    guard let run = callers[caller].run else { return }
    switch run.work {
    case .registering(_, .finish(let outcome)): return try end(caller, outcome)
    case .registering(var conductor, let action):
      let event = try await done(action, run, caller, upstream)
      callers[caller].run?.trail.append(label(event))
      let next = conductor.next(event)
      callers[caller].run?.work = .registering(conductor, next)
    case .claiming(var claiming):
      if let outcome = claiming.outcome { return try end(caller, outcome) }
      guard let operation = claiming.operation else { throw Violation(description: "a call that waits for nothing") }
      let answer = try await done(operation, run, caller)
      callers[caller].run?.trail.append(label(answer))
      claiming.steps.append((operation, answer))
      let next = await resumed(claiming, caller)
      callers[caller].run?.work = .claiming(next)
    }
  }

  private func end(_ caller: Int, _ outcome: RegistrationOutcome) throws {
    let run = callers[caller].run
    callers[caller].run = nil
    switch outcome {
    case .registered(let account):
      // a repeat returns the existing account
      if let before = callers[caller].account, rows.account(before) != nil, before != account.id {
        throw Violation(description: "a repeat was told another account")
      }
      callers[caller].account = account.id
    case .claimed, .obstructed(.network, _): break
    case .invitationRejected, .taken, .claimGone, .conflict, .obstructed(.closed, _):
      guard let before = callers[caller].account, rows.account(before) != nil, run?.isProof == false else { return }
      throw Violation(description: "what stands was asked again: \(outcome)")
    case .deferred, .obstructed: throw Violation(description: "a registration came to \(outcome)")
    }
  }

  private func done(
    _ action: RegistrationConductor.Action, _ run: Run, _ caller: Int, _ upstream: Upstream?
  ) async throws -> RegistrationConductor.Event {
    switch action {
    case .findRequest(let request): return .foundRequest(rows.request(request))
    case .find(let key): return .found(rows.account(key))
    case .findReleased(let request, let key): return .foundReleased(rows.released(request, key, at: time))
    case .hash: return .hashed(hash(caller))
    case .verify(let hash, _), .recognise(let hash):
      return .verified(hash == self.hash(caller) ? .right(isOutdated: false) : .wrong)
    case .insert(let account, let request):
      let answer = try await accounts.insert(
        account, request: request, Admission(invitation: run.invitation), stamp(caller))
      if answer == .inserted, run.isLate { throw Violation(description: "an account was made in a closed house") }
      return .inserted(answer)
    case .prove(let claim, let account):
      let answer = try await accounts.prove(claim, account, nil, stamp(caller))
      if answer == .added, run.isLate { throw Violation(description: "a claim was proven in a closed house") }
      return .proved(answer)
    case .note(let request, let id): return .noted(try await accounts.note(request, for: id))
    case .resume(let id, let seen, let mark):
      switch try await accounts.resume(id, seen: seen, Stamp(mark, by: stamp(caller).by)) {
      case .resumed: return .resumed(mark: mark)
      case .gone: return .resumed(mark: nil)
      case .claimed(let wasPutOff): return .claimedElsewhere(wasPutOff: wasPutOff)
      }
    case .ask: return answer(of: upstream)
    case .activate(let account, let request): return .activated(try await activated(account, request, caller))
    case .release(let id, let seen, let remembered, let endingClaim):
      return .released(
        try await accounts.release(id, seen: seen, remembered: remembered, endingClaim: endingClaim, stamp(caller)))
    case .finish: throw Violation(description: "an end is no action")
    }
  }

  private func answer(of upstream: Upstream?) -> RegistrationConductor.Event {
    switch upstream {
    case .registers, nil: .upstreamAnswered(.registered)
    case .isTaken: .upstreamAnswered(.taken)
    case .timesOut: .obstructed(.network(.timeout))
    case .isOffline: .obstructed(.network(.offline))
    }
  }

  /// There is only one process, so no other process releases an account that the upstream registers.
  private func activated(
    _ account: StoredAccount, _ request: RequestKey?, _ caller: Int
  ) async throws -> ActivationAnswer {
    if let active = try await accounts.activate(account.account.id, approved: nil, stamp(caller)) {
      return .active(active)
    }
    return rows.account(account.account.id).map { .active($0.account) } ?? .taken
  }

  private func done(
    _ operation: ClaimOperation, _ run: Run, _ caller: Int
  ) async throws -> ClaimOperation.Answer {
    switch operation {
    case .findClaimOf(let request, _): return .claim(rows.claim(of: request, at: time))
    case .findRequest(let request): return .request(rows.request(request))
    case .findKey(let key): return .account(rows.account(key))
    case .add(let claim, let mail, _):
      let answer = try await accounts.add(claim, mail, invitation: run.invitation, stamp(caller))
      guard answer == .added else { return .added(answer) }
      if run.isLate { throw Violation(description: "a claim was made in a closed house") }
      callers[caller].made.append(claim.id)
      return .added(answer)
    case .end(let id):
      try await accounts.end(id)
      return .done(true)
    default: throw Violation(description: "a registration asks for \(operation)")
    }
  }

  // MARK: Answers as numbers

  private func label(_ event: RegistrationConductor.Event) -> Int {
    switch event {
    case .foundRequest(let known): known == nil ? 0 : 1
    case .found(let account): account == nil ? 2 : 3
    case .foundReleased(let released): released.isEmpty ? 4 : 5
    case .hashed: 6
    case .verified(let verdict): verdict == .wrong ? 7 : 8
    case .inserted(.inserted), .proved(.added): 9
    case .inserted(.invitationRejected), .proved(.gone): 10
    case .inserted, .proved: 11
    case .resumed(let mark): mark == nil ? 12 : 13
    case .upstreamAnswered(let answer): answer == .registered ? 14 : 15
    case .released(let isReleased): isReleased ? 16 : 17
    case .obstructed(let obstacle): obstacle == .network(.timeout) ? 18 : 19
    case .noted, .claimedElsewhere, .joined, .gaveUp, .takenPerhaps, .activated: 20
    }
  }

  private func label(_ answer: ClaimOperation.Answer) -> Int {
    switch answer {
    case .claim(let claim): claim == nil ? 0 : 1
    case .request(let known): known == nil ? 0 : 1
    case .account(let account): account == nil ? 2 : 3
    case .added(.added): 9
    case .added: 10
    default: 11
    }
  }
}
