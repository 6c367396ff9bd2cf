import TestDoubles
import Testing

@testable import Registration

/// Checks every possible dialogue between a driver and the conductor against the conductor's promises.
@Suite("All network sign-ins")
struct NetworkSignInDialogueTests {
  private static let typed = PasswordHash(phc: "of what was typed")
  private static let nobodys = PasswordHash(phc: "nobody's")
  private static let another = SessionEpoch(stored: "another")
  private static let email = Fixtures.account().account.email

  /// The actions and events so far.
  private struct Dialogue {
    var steps: [(action: SignInAction, event: SignInEvent)] = []

    func has(_ event: SignInEvent) -> Bool { steps.contains { $0.event == event } }
    var accepted: Bool { steps.contains { if case .upstreamAnswered(.accepted) = $0.event { true } else { false } } }
    var rejected: Bool { has(.upstreamAnswered(.rejected)) }
    var refused: Bool { has(.upstreamAnswered(.refused)) }
    /// The upstream's failure.
    var failure: NetworkFailure? {
      for step in steps { if case .obstructed(.network(let failure)) = step.event { return failure } }
      return nil
    }
    var found: [StoredAccount] { steps.compactMap { if case .found(let found?) = $0.event { found } else { nil } } }
    var endings: [SignInThrottle.Ending] {
      steps.compactMap { if case .note(let ending) = $0.action { ending } else { nil } }
    }
    /// Whether the last comparison found the password equal to the stored hash.
    var isSame: Bool {
      if case .verified(.right)? = steps.last(where: { $0.action.isComparison })?.event { true } else { false }
    }
    var isRight: Bool { steps.contains { if case .verified(.right) = $0.event { true } else { false } } }
    /// Comparisons that took a password's work.
    var work: Int { steps.count { if case .verified = $0.event { true } else { false } } }
  }

  private static func events(after action: SignInAction, _ dialogue: Dialogue) -> [SignInEvent] {
    let failures: [SignInEvent] = [
      .obstructed(.hashing(.busy(retryAfterSeconds: 1))), .obstructed(.hashing(.cancelled)),
    ]
    switch action {
    case .note: return [.noted]
    case .confirm: return [.confirmed(true), .obstructed(.store(.full))]
    case .find:
      let looks = dialogue.steps.count { if case .find = $0.action { true } else { false } }
      let states = Account.State.allCases.map { SignInEvent.found(Fixtures.account(state: $0)) }
      // Another process may add and delete the account again and again. Three times are enough here.
      return states + [.obstructed(.store(.full))] + (looks < 3 ? [.found(nil)] : [])
    case .verify(nil), .verifyAnyway(nil): return [.verified(.wrong)] + failures
    case .verify, .verifyAnyway:
      return [
        .verified(.right(isOutdated: false)), .verified(.right(isOutdated: true)), .verified(.wrong),
        .obstructed(.hashing(.unreadableHash(.missing))),
      ] + failures
    case .hash: return [.hashed(typed)] + failures
    case .hashNobodys: return [.hashed(nobodys)] + failures
    case .replaceHash:
      return [.hashReplaced(at: Fixtures.time), .hashReplaced(at: nil), .obstructed(.store(.readOnly))]
    case .ask:
      let ids = ["0190a6c1-2f00-4abc-8def-0123456789ab", "7"]
      let away: [NetworkFailure] = [.offline, .throttled(retryAfterSeconds: 1), .timeout, .rejected, .untrusted]
      return ids.map { .upstreamAnswered(.accepted(id: $0)) }
        + [.upstreamAnswered(.rejected), .upstreamAnswered(.refused), .obstructed(.cancelled)]
        + away.map { .obstructed(.network($0)) }
    case .adopt:
      return [.obstructed(.cancelled), .obstructed(.store(.full))]
        + [ImportAnswer.imported, .present, .emailTaken, .idTaken].map { .adopted($0) }
    case .finish: return []
    }
  }

  /// Calls `body` with every dialogue that has ended.
  private static func everyDialogue(
    _ email: EmailAddress?, _ offline: SignInAuthority.Offline, _ body: (Dialogue, SignInOutcome) -> Void
  ) {
    func go(_ conductor: NetworkSignInConductor, _ action: SignInAction, _ dialogue: Dialogue) {
      if case .finish(let outcome) = action { return body(dialogue, outcome) }
      guard dialogue.steps.count < 20 else {
        Issue.record("there is no end: \(dialogue.steps)")
        return
      }
      for event in events(after: action, dialogue) {
        var (conductor, dialogue) = (conductor, dialogue)
        dialogue.steps.append((action, event))
        let next = conductor.next(event)
        go(conductor, next, dialogue)
      }
    }
    let conductor = NetworkSignInConductor(email: email, offline: offline, now: Fixtures.time, epoch: another)
    go(conductor, conductor.first, Dialogue())
  }

  /// The ending that the throttle must receive, or nil for none.
  private static func ending(_ dialogue: Dialogue, _ email: EmailAddress?, _ outcome: SignInOutcome)
    -> SignInThrottle.Ending?
  {
    if case .obstructed(.throttled) = outcome { return nil }
    if dialogue.accepted { return .right }
    if dialogue.refused { return .unknown }
    if dialogue.rejected {
      // the upstream may not have the account yet, so the account's hash decides
      if case .obstructed(.hashing) = outcome { return .unknown }
      switch outcome {
      case .refused(.pending), .refused(.waiting): return .right
      case .signedIn, .refused, .obstructed: return .wrong
      }
    }
    switch outcome {
    case .obstructed(.hashing), .obstructed(.cancelled), .obstructed(.store): return .unknown
    case .obstructed, .signedIn, .refused: break
    }
    guard email != nil else { return .wrong }
    // the upstream is unavailable
    return dialogue.isRight ? .right : dialogue.work > 0 ? .wrong : .unknown
  }

  @Test("every dialogue keeps the conductor's promises", arguments: [nil, email], SignInAuthority.Offline.allCases)
  func promises(_ email: EmailAddress?, _ offline: SignInAuthority.Offline) {
    var count = 0
    Self.everyDialogue(email, offline) { dialogue, outcome in
      count += 1
      let broken = Self.broken(dialogue, email, offline, outcome)
      #expect(broken == nil, "\(dialogue.steps), then \(outcome)")
    }
    #expect(count > (email == nil ? 2 : 500))
  }

  /// The promise that the dialogue breaks, or nil if it keeps all promises.
  private static func broken(
    _ dialogue: Dialogue, _ email: EmailAddress?, _ offline: SignInAuthority.Offline, _ outcome: SignInOutcome
  ) -> String? {
    guard dialogue.endings == [ending(dialogue, email, outcome)].compactMap(\.self) else { return "ended once" }
    let stoodIn = offline == .cached && dialogue.isRight && dialogue.failure?.isWorthRepeating ?? false
    let isFair =
      switch outcome {
      case .refused(.pending) where dialogue.rejected, .refused(.waiting) where dialogue.rejected:
        dialogue.isRight && dialogue.found.last?.account.isUnregistered ?? false
      case .signedIn, .refused(.disabled), .refused(.pending), .refused(.waiting): dialogue.accepted || stoodIn
      case .refused(.rejected): dialogue.rejected || email == nil
      case .obstructed(.network(.rejected)) where dialogue.refused: true
      case .obstructed(.network(let failure)): dialogue.failure == failure && !stoodIn
      // the only possible fault: another account has the new id
      case .obstructed(.fault): dialogue.steps.last?.event == .adopted(.idTaken)
      case .obstructed(.throttled), .obstructed(.cancelled), .obstructed(.hashing), .obstructed(.store): !stoodIn
      // groups are judged after the dialogue
      case .refused(.notMember), .obstructed(.invalid), .obstructed(.off), .obstructed(.closed),
        .obstructed(.tooManyWaiting):
        false
      }
    guard isFair else { return "outcome" }
    if dialogue.rejected, dialogue.work > 1 { return "work" }
    for (index, step) in dialogue.steps.enumerated() {
      let before = Dialogue(steps: Array(dialogue.steps.prefix(index)))
      guard mayBeDone(step.action, in: dialogue, before) else { return "\(step.action)" }
    }
    return nil
  }

  private static func mayBeDone(_ action: SignInAction, in dialogue: Dialogue, _ before: Dialogue) -> Bool {
    switch action {
    case .replaceHash(let id, let old, let new, let epoch):
      before.found.last.map { $0.account.id == id && $0.passwordHash == old && !$0.account.isUnregistered } ?? false
        && new == (dialogue.rejected ? nobodys : typed)
        && epoch == (dialogue.rejected || before.isSame ? nil : another)
    case .adopt(let account):
      dialogue.accepted && dialogue.has(.found(nil)) && account.account.state == .active
        && account.passwordHash == typed && account.account.epoch == another
    case .hash: !dialogue.rejected
    case .hashNobodys: dialogue.rejected && dialogue.isRight
    case .confirm(_, let isRight): isRight == dialogue.accepted
    case .note, .find, .verify, .verifyAnyway, .ask, .finish: true
    }
  }
}

extension SignInAction {
  fileprivate var isComparison: Bool {
    switch self {
    case .verify, .verifyAnyway: true
    default: false
    }
  }
}
