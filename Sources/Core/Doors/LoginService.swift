package import LoginVerdicts
internal import Methods
internal import Reasons
internal import Registration
internal import Synchronization
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

/// Counts a door's logins by verdict, since regd first served the door.
package final class DoorCounts: Sendable {
  private let right = Atomic<Int>(0)
  private let wrong = Atomic<Int>(0)
  private let refused = Atomic<Int>(0)
  private let away = Atomic<Int>(0)

  private let counters: @Sendable (_ verdict: LoginVerdict, _ isLimited: Bool) -> Void

  /// - Parameter counters: Called with each verdict, for metrics, and with whether it is "away" because of a limit on the
  ///   rate of logins (`rate.limited`).
  package init(counters: @escaping @Sendable (_ verdict: LoginVerdict, _ isLimited: Bool) -> Void = { _, _ in }) {
    self.counters = counters
  }

  package subscript(_ verdict: LoginVerdict) -> Int {
    switch verdict {
    case .right: right.load(ordering: .relaxed)
    case .wrong: wrong.load(ordering: .relaxed)
    case .refused: refused.load(ordering: .relaxed)
    case .away: away.load(ordering: .relaxed)
    }
  }

  func note(_ answer: DoorAnswer) {
    guard let verdict = answer.verdict else { return }
    if case .away(let reason, _) = answer { note(verdict, reason: reason) } else { note(verdict) }
  }

  /// - Parameter reason: The error that led to the verdict, or nil if no error did.
  func note(_ verdict: LoginVerdict, reason: ErrorReason? = nil) {
    counters(verdict, verdict == .away && reason == .rateLimited)
    switch verdict {
    case .right: right.wrappingAdd(1, ordering: .relaxed)
    case .wrong: wrong.wrappingAdd(1, ordering: .relaxed)
    case .refused: refused.wrappingAdd(1, ordering: .relaxed)
    case .away: away.wrappingAdd(1, ordering: .relaxed)
    }
  }
}

/// Reads a login's bytes as an address, a password and an origin, by the same rules for every door.
enum LoginName {
  /// The address that a name means: the name itself if it has an @, otherwise with the realm that the program
  /// sends, otherwise with the door's domain.
  ///
  /// - Returns: Nil if the name means no address: it is empty, is not UTF-8, has a character that `LoginText`
  ///   refuses, or lacks a domain.
  static func address(_ name: [UInt8], realm: [UInt8], _ terms: DoorTerms) -> String? {
    guard let name = LoginText.name(name) else { return nil }
    guard !name.utf8.contains(UInt8(ascii: "@")) else { return name }
    guard !realm.isEmpty else { return terms.domain.isEmpty ? nil : "\(name)@\(terms.domain)" }
    return LoginText.name(realm).map { "\(name)@\($0)" }
  }

  /// Whether addresses of the email's domain may sign in here. Without a list of domains, all addresses may. A string
  /// that is not an address is refused later, after the same work as a wrong password.
  static func mayEnter(_ email: String, _ terms: DoorTerms, _ rules: EmailRules) -> Bool {
    guard !terms.domains.isEmpty else { return true }
    guard let address = try? rules.addressOfAccount(email).get() else { return false }
    return terms.domains.contains(address.key.domain)
  }

  /// The password in NFC, the form in which passwords are hashed.
  ///
  /// - Returns: Nil if no account can have it: it is empty, is not UTF-8, or has a NUL.
  static func password(_ typed: Password, _ normalizer: any TextNormalizer) -> Password? {
    let isText = typed.withBytes { bytes in
      !bytes.isEmpty && !bytes.contains(0) && UnicodeText.isValid(bytes)
    }
    guard isText else { return nil }
    return typed.withBytes { Password(typed: $0, normalizer) }
  }

  /// The origin that a program names, in canonical form (`ClientAddress`), or nil if the program names no origin. Repairs
  /// invalid UTF-8, and cuts a long origin between characters.
  static func origin(_ bytes: [UInt8]) -> Origin? {
    let address = ClientAddress.canonical(bytes.prefix(4 * Origin.maximumLength).filter { $0 != 0 })
    var text = String(decoding: address, as: UTF8.self)
    while text.utf8.count > Origin.maximumLength { text.unicodeScalars.removeLast() }
    return Origin(text)
  }
}

/// Validates UTF-8 without making a `String`, whose memory could not be wiped.
private enum UnicodeText {
  static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue: continue
      case .emptyInput: return true
      case .error: return false
      }
    }
  }
}
