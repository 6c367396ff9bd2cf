import StoreModels
import TestDoubles

@testable import Registration

/// The drivers: they perform the actions of each conductor and return the resulting events.
extension ExploredWorld {
  func password(_ caller: Int) -> Password { Fixtures.password("a fine phrase \(caller)") }

  /// The hash that `PlainHasher` makes of the caller's password.
  func hash(_ caller: Int) -> PasswordHash { PasswordHash(phc: "plain:a fine phrase \(caller)") }

  private func isRight(_ digits: String, _ claim: AddressClaim) -> Bool { digits == Self.digits(code(of: claim)) }

  private mutating func done(
    _ action: CodeGuessing.Action, _ caller: Int, _ now: Timestamp
  ) throws(Violation) -> CodeGuessing.Event {
    switch action {
    case .findClaim(let id):
      if case .claim(let claim) = try ask(.findClaim(id, now), by: caller) { return .foundClaim(claim) }
    case .compare(let digits, let claim): return .compared(isRight(digits, claim))
    case .guess(let id, let guess):
      if case .guessed(let answer) = try ask(.guess(id, guess, now), by: caller) {
        return .guessed(answer)
      }
    }
    throw Violation(description: "no event for \(action)")
  }

  mutating func done(
    _ action: ProofConductor.Action, _ caller: Int, _ now: Timestamp
  ) throws(Violation) -> ProofConductor.Event {
    switch action {
    case .guess(let action): return .guess(try done(action, caller, now))
    case .find(let id):
      if case .account(let account) = try ask(.findAccount(id), by: caller) { return .found(account) }
    case .changeEmail, .register, .finish: break
    }
    throw Violation(description: "no event for \(action)")
  }

  private func share(_ caller: Int) -> Share { Share(uid: callers[caller].left.uid) }

  // MARK: Registrations

  /// - Returns: Nil if the caller waits for another caller's attempt.
  mutating func done(
    _ action: RegistrationConductor.Action, _ caller: Int, _ upstream: Upstream?
  ) throws(Violation) -> RegistrationConductor.Event? {
    switch action {
    case .prove(let id, let account):
      guard joins(account.account.id, caller) else { return nil }
      if case .proved(let answer) = try ask(.prove(id, account, time), by: caller) { return .proved(answer) }
    case .resume(let id, let seen, let mark):
      guard joins(id, caller) else { return nil }
      if case .resumed(let answer) = try ask(.resume(id, seen: seen, at: mark), by: caller) {
        return .resumed(mark: answer == .resumed ? mark : nil)
      }
    case .ask:
      callers[caller].run?.trail.add(upstream?.rawValue ?? 0)
      switch upstream {
      case .registers?: return .upstreamAnswered(.registered)
      case .isTaken?: return .upstreamAnswered(.taken)
      case .timesOut?: return .obstructed(.network(.timeout))
      case .isOffline?: return .obstructed(.network(.offline))
      case nil: break
      }
    case .activate(let account, _):
      if case .changed(let active) = try ask(.activate(account.account.id, time), by: caller) {
        return .activated(active.map { .active($0) } ?? .taken)
      }
    case .release(let id, let seen, _, let endingClaim):
      let answer = try ask(.release(id, seen: seen, endingClaim: endingClaim), by: caller)
      if case .done(let isDone) = answer { return .released(isDone) }
    case .findRequest, .find, .findReleased, .hash, .verify, .recognise, .insert, .note, .finish: break
    }
    throw Violation(description: "no event for \(action)")
  }

  /// Gives the attempt for the account to this caller, or makes the caller wait for the attempt's holder.
  private mutating func joins(_ id: AccountID, _ caller: Int) -> Bool {
    if callers[caller].run?.attempt == id { return true }
    guard callers.allSatisfy({ $0.run?.attempt != id }) else {
      callers[caller].run?.waitsFor = id
      return false
    }
    callers[caller].run?.attempt = id
    return true
  }

  /// Ends the attempt. The callers that wait for it continue with its outcome.
  mutating func release(_ caller: Int, _ outcome: RegistrationOutcome) {
    guard let id = callers[caller].run?.attempt else { return }
    callers[caller].run?.attempt = nil
    for other in callers.indices where callers[other].run?.waitsFor == id {
      callers[other].run?.waitsFor = nil
      guard case .registration(let proof, var conductor, _) = callers[other].run?.conductor else { continue }
      let next = conductor.next(outcome.isOwn ? .gaveUp : .joined(outcome))
      callers[other].run?.conductor = .registration(proof, conductor, next)
      callers[other].run?.trail.add(7)
    }
  }
}
