internal import Dialogues
internal import JSONRPC
internal import Methods
internal import Reasons
internal import Registration
internal import Verdicts

/// Answers a door's questions with the code behind `session.signIn` and `account.get`, so that a door never disagrees
/// with these methods.
final class DoorDesk: Sendable {
  private let surroundings: DoorSurroundings
  private let memory: PasswordMemory?

  var counts: DoorCounts { surroundings.counts }
  var answerSeconds: Int { surroundings.terms.answerSeconds }

  /// - Parameter memory: How long a correct password is remembered, so that a repeat need not be hashed. Zero turns
  ///   this off.
  init(_ surroundings: DoorSurroundings, memory: Duration) {
    self.surroundings = surroundings
    self.memory = memory > .zero ? PasswordMemory(lasting: memory) : nil
  }

  func answer(_ question: DoorQuestion, by caller: Caller) async -> DoorAnswer {
    switch question {
    case .signIn(let login):
      let requester = Requester(
        uid: caller.uid, pid: caller.pid, origin: LoginName.origin(login.origin), door: surroundings.door)
      return await Share.$current.withValue(requester.share) { await signIn(login, by: requester) }
    case .find(let name, let asker):
      return await Share.$current.withValue(Share(uid: caller.uid)) { await find(name, for: asker) }
    case .check(let account):
      return await Share.$current.withValue(Share(uid: caller.uid)) { await check(account) }
    case .groups(let query, let asker):
      return await Share.$current.withValue(Share(uid: caller.uid)) { await groups(query, for: asker) }
    }
  }

  private func signIn(_ login: Login, by requester: Requester) async -> DoorAnswer {
    guard
      let email = LoginName.address(login.name, realm: login.realm, surroundings.terms),
      let password = LoginName.password(login.password, surroundings.normalizer),
      LoginName.mayEnter(email, surroundings.terms, surroundings.registrar.with({ $0.rules.email }))
    else {
      report(ErrorReason.invalidParams.name, requester)
      return .wrong
    }
    let outcome = await surroundings.registrar.value.signIn(
      email: email, password: password, by: requester, requiring: GroupRequirement(surroundings.terms.groups),
      sparing: memory)
    let error = OutcomeReplies.error(of: outcome)
    if let reason = error?.reason.name { report(reason, requester) }
    switch outcome {
    case .signedIn(let account): return .right(DoorAccount(account))
    case .refused, .obstructed:
      return Self.answer(
        DoorAnswer.verdict(of: outcome), reason: error?.reason.name ?? DoorReason.fault, retryAfter: error?.retryAfter)
    }
  }

  private static func answer(_ verdict: Verdict, reason: String, retryAfter: Int?) -> DoorAnswer {
    switch verdict {
    case .wrong: .wrong
    case .refused: .refused(reason: reason)
    case .away, .right: .away(reason: reason, retryAfter: retryAfter)
    }
  }

  private func find(_ name: [UInt8], for asker: DoorAccount?) async -> DoorAnswer {
    if let refusal = await refusal(of: asker) { return refusal }
    return await find(name)
  }

  /// - Parameter asker: The account whose right to search must still be valid, or nil if the right needs no account.
  /// - Returns: Nil if the right is valid.
  private func refusal(of asker: DoorAccount?) async -> DoorAnswer? {
    guard let asker else { return nil }
    let answer = await check(asker)
    if case .found = answer { return nil }
    return answer
  }

  private func find(_ name: [UInt8]) async -> DoorAnswer {
    guard let email = LoginName.address(name, realm: [], surroundings.terms),
      LoginName.mayEnter(email, surroundings.terms, surroundings.registrar.with({ $0.rules.email }))
    else { return .none }
    switch await surroundings.administrator.account(.email(email)) {
    case .account(let account): return .found(DoorAccount(account))
    case .notFound, .obstructed(.invalid), .deleted, .taken, .tooManyGroups: return .none
    case .obstructed(let obstacle): return Self.away(because: obstacle)
    case .waiting, .unfinished, .pending: return .away(reason: DoorReason.fault)
    }
  }

  private func groups(_ query: GroupQuery, for asker: DoorAccount?) async -> DoorAnswer {
    if let refusal = await refusal(of: asker) { return refusal }
    var member: DoorAccount?
    if let name = query.member {
      switch await find(name) {
      case .found(let account): member = account
      case .none: break
      case let other: return other
      }
    }
    do throws(StoreFailure) {
      return .groups(try await groups(query, of: member))
    } catch {
      return Self.away(because: .store(error))
    }
  }

  /// Reads at most one member more than the query asks for.
  private func groups(_ query: GroupQuery, of member: DoorAccount?) async throws(StoreFailure) -> DoorGroups {
    let names = query.name.map { [$0] } ?? member?.groups.names ?? []
    let listsMembers = query.mostMembers > 0
    // the groups of an account exist, because it is a member
    guard listsMembers || query.name != nil else { return DoorGroups(names.map { DoorGroup($0) }, member: member) }
    var found = DoorGroups(member: member)
    var room = query.mostMembers
    for name in names where !found.isCut {
      let page = try await surroundings.administrator.members(of: name, after: nil, limit: room)
      room -= page.elements.count
      if listsMembers { found.isCut = page.hasMore }
      guard !page.elements.isEmpty || page.hasMore && !listsMembers else { continue }
      // as for `find`, accounts of other domains do not exist here
      let keys = page.elements.map(\.account.email.key).filter { isAllowed($0.domain) }
      found.groups.append(DoorGroup(name, members: keys.map(\.value)))
    }
    return found
  }

  private func isAllowed(_ domain: String) -> Bool {
    surroundings.terms.domains.isEmpty || surroundings.terms.domains.contains(domain)
  }

  /// Whether a sign-in of this account is still valid: the account is as it was then.
  private func check(_ signedIn: DoorAccount) async -> DoorAnswer {
    switch await surroundings.administrator.account(.id(signedIn.id)) {
    case .account(let account): DoorAccount(account).isSignedIn(as: signedIn) ? .found(DoorAccount(account)) : .ended
    case .notFound, .deleted, .taken, .obstructed(.invalid), .waiting, .pending, .tooManyGroups: .ended
    case .obstructed(let obstacle): Self.away(because: obstacle)
    case .unfinished: .away(reason: DoorReason.fault)
    }
  }

  private static func away(because obstacle: Obstacle) -> DoorAnswer {
    let error = OutcomeReplies.error(of: .obstructed(obstacle))
    return .away(reason: error?.reason.name ?? DoorReason.fault, retryAfter: error?.retryAfter)
  }

  private func report(_ reason: String, _ requester: Requester) {
    guard ErrorReason.isRefusal(reason) else { return }
    surroundings.refused(RefusedAttempt(method: "session.signIn", reason: reason, requester: requester))
  }
}

/// The reasons of answers that a door gives itself, without an error of the registrar.
enum DoorReason {
  static let busy = ErrorReason.busy.name
  static let limited = ErrorReason.rateLimited.name
  static let timeout = ErrorReason.requestTimeout.name
  static let draining = ErrorReason.draining.name
  static let fault = ErrorReason.internal.name
}

extension DoorAnswer {
  /// The verdict on a sign-in's outcome. A test checks that it equals `Verdict(reason:)` of the outcome's error. The
  /// switch has no default, so that the compiler demands a verdict for each obstacle that is added later.
  static func verdict(of outcome: SignInOutcome) -> Verdict {
    switch outcome {
    case .signedIn: .right
    case .refused(.rejected): .wrong
    case .refused(.disabled), .refused(.pending), .refused(.waiting), .refused(.notMember): .refused
    case .obstructed(let obstacle):
      switch obstacle {
      case .invalid: .wrong
      case .throttled, .cancelled, .hashing, .network, .store, .off, .closed, .tooManyWaiting, .fault: .away
      }
    }
  }
}
