internal import LoginVerdicts
internal import Methods
internal import Reasons
internal import Registration
internal import WireProtocols

/// Answers a door's questions with the code behind `session.signIn` and `account.get`, so that a door never disagrees
/// with these methods.
final class LoginService: Sendable {
  private let context: DoorContext
  private let memory: PasswordMemory?

  var counts: DoorCounts { context.counts }
  var answerSeconds: Int { context.terms.answerSeconds }

  /// - Parameter memory: How long a correct password is remembered, so that a repeat need not be hashed. Zero turns
  ///   this off.
  init(_ context: DoorContext, memory: Duration) {
    self.context = context
    self.memory = memory > .zero ? PasswordMemory(lasting: memory) : nil
  }

  func answer(_ question: DoorQuestion, by caller: Peer) async -> DoorAnswer {
    switch question {
    case .signIn(let login):
      let requester = Requester(
        uid: caller.uid, pid: caller.pid, origin: LoginName.origin(login.origin), door: context.door)
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
      let email = LoginName.address(login.name, realm: login.realm, context.terms),
      let password = LoginName.password(login.password, context.normalizer),
      LoginName.mayEnter(email, context.terms, context.registrar.with({ $0.rules.email }))
    else {
      report(.invalidParams, requester)
      return .wrong
    }
    let outcome = await context.registrar.value.signIn(
      email: email, password: password, by: requester, requiring: GroupRequirement(context.terms.groups),
      sparing: memory)
    switch outcome {
    case .signedIn(let account): return .right(DoorAccount(account))
    case .refused(let refusal): return answer(OutcomeReplies.failure(of: refusal), requester)
    case .obstructed(let obstacle): return answer(OutcomeReplies.failure(of: obstacle), requester)
    }
  }

  private func answer(_ failure: OutcomeReplies.Failure, _ requester: Requester) -> DoorAnswer {
    report(failure.reason, requester)
    return DoorAnswer(failure)
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
    guard let email = LoginName.address(name, realm: [], context.terms),
      LoginName.mayEnter(email, context.terms, context.registrar.with({ $0.rules.email }))
    else { return .none }
    return await found(.email(email), orElse: .none)
  }

  private func found(_ who: AccountReference, orElse missing: DoorAnswer) async -> DoorAnswer {
    do throws(Obstacle) {
      guard let account = try await context.administrator.find(who) else { return missing }
      return .found(DoorAccount(account))
    } catch {
      // an address that breaks the rules has no account
      if case .invalid = error { return missing }
      return Self.away(because: error)
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
      let page = try await context.administrator.members(of: name, after: nil, limit: room)
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
    context.terms.domains.isEmpty || context.terms.domains.contains(domain)
  }

  /// Whether a sign-in of this account is still valid: the account is as it was then.
  private func check(_ signedIn: DoorAccount) async -> DoorAnswer {
    let answer = await found(.id(signedIn.id), orElse: .ended)
    guard case .found(let account) = answer, !account.isSignedIn(as: signedIn) else { return answer }
    return .ended
  }

  private static func away(because obstacle: Obstacle) -> DoorAnswer {
    let failure = OutcomeReplies.failure(of: obstacle)
    return .away(reason: failure.reason, retryAfter: failure.retryAfter)
  }

  private func report(_ reason: ErrorReason, _ requester: Requester) {
    guard reason.isDueToCaller else { return }
    context.refused(RefusedAttempt(method: "session.signIn", reason: reason.name, requester: requester))
  }
}

extension DoorAnswer {
  /// The answer to a login that failed. The verdict follows from the kind of the reason.
  init(_ failure: OutcomeReplies.Failure) {
    self =
      switch LoginVerdict(failure.reason.kind) {
      case .wrong: .wrong
      case .refused: .refused(reason: failure.reason)
      case .away, .right: .away(reason: failure.reason, retryAfter: failure.retryAfter)
      }
  }
}
