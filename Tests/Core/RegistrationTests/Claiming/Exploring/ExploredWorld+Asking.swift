import StoreModels
import TestDoubles

@testable import Registration

/// The store's operations and answers, and the invariants that hold at each such step.
extension ExploredWorld {
  /// Performs the operation for a caller.
  mutating func ask(_ operation: ClaimOperation, by caller: Int) throws(Violation) -> ClaimOperation.Answer {
    let before = model
    if case .add(let claim, _, _) = operation { name(claim, of: caller) }
    let answer = model.apply(operation)
    try check(operation, answer, before, caller)
    note(answer, of: caller)
    return answer
  }

  private mutating func name(_ claim: AddressClaim, of caller: Int) {
    let name = (caller + 1) * 10 + callers[caller].made
    callers[caller].made += 1
    names[claim.id] = name
    ids[name] = claim.id
    if accounts[claim.account] == nil { accounts[claim.account] = name }
  }

  /// Adds the answer to the knowledge of the caller's call.
  private mutating func note(_ answer: ClaimOperation.Answer, of caller: Int) {
    guard var trail = callers[caller].run?.trail else { return }
    switch answer {
    case .claim(let claim): trail.add(claim.map(value) ?? 1)
    case .request(let known): trail.add(known == nil ? 1 : 2)
    case .account(let account): trail.add(account.map(value) ?? 1)
    case .added(.added): trail.add(1)
    case .added(.requestKnown(let claim)): trail.add(value(claim))
    case .added(.requestHasAccount): trail.add(2)
    case .added(.outdated): trail.add(3)
    case .added(.invitationRejected): trail.add(4)
    case .guessed(.right(let claim)): trail.add(value(claim))
    case .guessed(.wrong(let left)): trail.add(10 + left)
    case .counted(let wrong): trail.add(wrong.atAddress)
    case .guessed(.outdated): trail.add(2)
    case .guessed(.gone): trail.add(3)
    case .done(let isDone): trail.add(isDone ? 1 : 2)
    case .proved(.added): trail.add(1)
    case .proved(.taken(let account)): trail.add(value(account))
    case .proved(.gone): trail.add(2)
    case .proved(.tooManyWaiting): trail.add(3)
    case .changed(let account): trail.add(account == nil ? 1 : 2)
    case .resumed(let answer): trail.add(answer == .resumed ? 1 : 2)
    case .emailChanged, .deleted: trail.add(1)
    }
    callers[caller].run?.trail = trail
  }

  private mutating func check(
    _ operation: ClaimOperation, _ answer: ClaimOperation.Answer, _ before: ClaimModel, _ caller: Int
  ) throws(Violation) {
    if case (.guess(let id, _, _), .guessed(let guessed)) = (operation, answer) {
      try check(guessed, of: id, caller)
    }
    if case (.renew(let claim, let seen, _, _), .done(true)) = (operation, answer) { try checkRenewal(claim, seen) }
    if case (.prove(let id, let account, _), .proved(.added)) = (operation, answer) {
      try checkProof(of: id, caller)
      passwords = [account.passwordHash.phc]
    }
    if case (.recover(let id, let hash, _, _, _), .changed(.some)) = (operation, answer) {
      try checkProof(of: id, caller)
      passwords = [hash.phc]
      let rest = model.claims.values.filter { $0.kind == .recovery && $0.state == .open }
      guard rest.isEmpty else { throw Violation(description: "a recovery outlives the password's change") }
    }
    try checkState(before)
  }

  /// (b): a claim is finished only by the uid that received it, through its own id, with its own code.
  private func checkProof(of id: ClaimID, _ caller: Int) throws(Violation) {
    guard let run = callers[caller].run, let name = names[id], let claim = model.claims[id] else {
      throw Violation(description: "a proof of no claim")
    }
    guard claim.uid == callers[caller].left.uid else {
      throw Violation(description: "claim \(name) was proven by another user")
    }
    let typed: (claim: Int, code: Int)
    switch run.call {
    case .prove(let claim, let code), .finishRecovery(let claim, let code): typed = (claim, code)
    case .register, .resend, .startRecovery: throw Violation(description: "claim \(name) was proven by no proof")
    }
    guard let right = run.right, right.claim == name, typed.claim == name, typed.code == name * 10 + right.generation
    else { throw Violation(description: "claim \(name) was proven by \(typed.code), which is not its code") }
  }

  /// Attempts: no claim answers more wrong codes than it has attempts, and afterwards no code is accepted.
  private mutating func check(_ answer: GuessAnswer, of id: ClaimID, _ caller: Int) throws(Violation) {
    guard let name = names[id] else { throw Violation(description: "a guess at no claim") }
    let told = wrongTold[name] ?? 0
    switch answer {
    case .right(let claim):
      guard told < setting.terms.attempts else {
        throw Violation(description: "claim \(name) took a code behind \(told) wrong ones")
      }
      callers[caller].run?.right = (name, claim.generation)
    case .wrong:
      wrongTold[name] = told + 1
      guard told + 1 <= setting.terms.attempts else {
        throw Violation(description: "claim \(name) answered \(told + 1) wrong codes")
      }
    case .outdated, .gone: break
    }
  }

  /// (d): the code does not change until it expires, and no mail is sent before its time.
  private func checkRenewal(_ claim: AddressClaim, _ seen: AddressClaim) throws(Violation) {
    let name = names[claim.id] ?? 0
    guard claim.generation == seen.generation || seen.codeUntil <= time else {
      throw Violation(description: "claim \(name) got another code while the one before lived")
    }
    guard claim.generation > seen.generation || claim.codeUntil == seen.codeUntil else {
      throw Violation(description: "the code of claim \(name) lives longer by a resend")
    }
    guard claim.resendAt == seen.resendAt || seen.resendAt <= time else {
      throw Violation(description: "claim \(name) was mailed again before its time")
    }
  }

  /// (e), and at most one account per address in every state.
  private func checkState(_ before: ClaimModel) throws(Violation) {
    let holders = model.accounts.values.filter { $0.account.email.key == Self.email.key }
    guard holders.count <= 1 else { throw Violation(description: "two accounts have one address") }
    guard let holder = holders.first else { return }
    guard passwords.contains(holder.passwordHash.phc) else {
      throw Violation(description: "the account has a password that no proof has set")
    }
    let wasActive = before.accounts[holder.account.id]?.account.state == .active
    // A caller that looked earlier may add a claim afterwards. The claim remains open, and its verification is refused.
    guard holder.account.state == .active, !wasActive else { return }
    let open = model.claims.values.filter { $0.kind == .registration && $0.state == .open }
    guard open.isEmpty else { throw Violation(description: "a claim outlives the making of the account") }
  }
}
