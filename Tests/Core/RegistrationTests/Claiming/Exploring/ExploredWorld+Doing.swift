import StoreModels
import TestDoubles

@testable import Registration

/// The driver: it performs the actions of the registration within a proof, and returns the resulting events.
extension ExploredWorld {
  func password(_ caller: Int) -> Password { Fixtures.password("a fine phrase \(caller)") }

  /// The hash that `PlainHasher` makes of the caller's password.
  func hash(_ caller: Int) -> PasswordHash { PasswordHash(phc: "plain:a fine phrase \(caller)") }

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
      guard case .registration(var conductor, _) = callers[other].run?.work else { continue }
      let next = conductor.next(outcome.isOwn ? .gaveUp : .joined(outcome))
      callers[other].run?.work = .registration(conductor, next)
      callers[other].run?.trail.add(7)
    }
  }
}
