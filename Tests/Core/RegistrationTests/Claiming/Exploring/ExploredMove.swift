import StoreModels
import TestDoubles

@testable import Registration

/// One transition from a state.
enum ExploredMove: Hashable {
  case begin(Int, ExploredCall)
  case step(Int, ExploredWorld.Upstream?)
  /// A mail, by its index, is sent and arrives. An outdated mail is ended instead.
  case mail(Int)
  /// The outbox asks the upstream again about the account that was left pending.
  case deliver
  case tick
  /// The process dies and restarts. Calls in progress are lost, and the store keeps its contents.
  case crash
}

extension ExploredWorld {
  var moves: [ExploredMove] {
    var moves: [ExploredMove] = []
    for caller in callers.indices {
      if let run = callers[caller].run {
        guard run.waitsFor == nil else { continue }
        if case .registration(_, .ask) = run.work {
          moves += setting.upstream.map { .step(caller, $0) }
        } else {
          moves.append(.step(caller, nil))
        }
      } else {
        moves += calls(of: caller).map { .begin(caller, $0) }
      }
    }
    moves += model.mails.indices.filter { model.mails[$0].state == .waiting }.map { .mail($0) }
    if leftPending != nil { moves.append(.deliver) }
    if now < setting.seconds { moves.append(.tick) }
    if crashes > 0, callers.contains(where: { $0.run != nil }) { moves.append(.crash) }
    return moves
  }

  mutating func go(_ move: ExploredMove) async throws(Violation) {
    switch move {
    case .begin(let caller, let call): try await begin(call, by: caller)
    case .step(let caller, let upstream): try await step(caller, upstream)
    case .mail(let index): try send(index)
    case .deliver:
      if let id = leftPending { _ = model.apply(.activate(id, time)) }
    case .tick: now += 1
    case .crash:
      crashes -= 1
      for caller in callers.indices { callers[caller].run = nil }
    }
  }

  private var leftPending: AccountID? {
    model.accounts.values.first { stored in
      stored.account.state == .pending && callers.allSatisfy { $0.run?.attempt != stored.account.id }
    }?.account.id
  }

  /// The calls that a caller may make now. Ids and codes leak to every caller. Only the code of an attacker's own claim
  /// does not leak to the attacker, because it went to the owner's mailbox.
  private func calls(of caller: Int) -> [ExploredCall] {
    let left = callers[caller].left
    var calls: [ExploredCall] = []
    if left.registers > 0 { calls.append(setting.hasAccount ? .startRecovery : .register) }
    let own = callers.filter { $0.left.uid == left.uid }.reduce(into: Set<Int>()) { $0.formUnion($1.told) }
    if left.resends > 0 { calls += own.sorted().map { .resend($0) } }
    for name in names.values.sorted() {
      let isOwn = own.contains(name)
      var codes = left.proofs > 0 ? mailbox.sorted().filter { isOwn || $0 / 10 == name } : []
      if left.uid != Self.owner { codes.removeAll { code in own.contains(code / 10) } }
      if left.wrongCodes > 0 { codes.append(Self.noCode) }
      calls += codes.map { setting.hasAccount ? .finishRecovery(name, code: $0) : .prove(name, code: $0) }
    }
    return calls
  }

  /// The uid of the mailbox's owner.
  static let owner: UInt32 = 1

  /// Sends a mail as the mail queue does: it makes the code when it sends the mail, and first renews a code that has
  /// expired.
  mutating func send(_ index: Int) throws(Violation) {
    let mail = model.mails[index].intent
    guard mail.kind.isCode else { return model.end(mail: mail.id, .sent) }
    guard let id = mail.claim, var claim = model.claims[id], claim.expiresAt > time, claim.state == .open else {
      return model.end(mail: mail.id, .outdated)
    }
    if claim.codeUntil <= time {
      let seen = claim
      claim.generation += 1
      claim.codeUntil = min(claim.expiresAt, time.advanced(by: setting.terms.code))
      _ = model.apply(.renew(claim, seen: seen, nil, time))
    }
    guard claim.codeUntil > time else { throw Violation(description: "a mail with a code that has run out") }
    mailbox.insert(code(of: claim))
    model.end(mail: mail.id, .sent)
  }

  /// The owner can always get the address: a new caller who reads the address's mail, and whom no other caller
  /// disturbs, gets it.
  func checkWayOut() async throws(Violation) {
    let holder = model.holder(of: Self.email)
    guard setting.hasAccount == (holder != nil), holder?.account.state != .pending else { return }
    var world = self
    let caller = callers.count
    world.callers.append(Caller(left: Role(uid: 9)))
    try await world.begin(setting.hasAccount ? .startRecovery : .register, by: caller)
    try await world.finish(caller)
    guard let name = world.callers[caller].told.first, let id = world.ids[name],
      let mail = world.model.mails.firstIndex(where: { $0.intent.claim == id && $0.state == .waiting })
    else { throw Violation(description: "a new caller got no claim, or no mail") }
    try world.send(mail)
    let code = name * 10 + (world.model.claims[id]?.generation ?? 0)
    try await world.begin(
      setting.hasAccount ? .finishRecovery(name, code: code) : .prove(name, code: code), by: caller)
    try await world.finish(caller)
    guard world.model.holder(of: Self.email)?.passwordHash == hash(caller) else {
      throw Violation(description: "a new caller proved its claim, and did not get the address")
    }
  }

  private mutating func finish(_ caller: Int) async throws(Violation) {
    while callers[caller].run != nil { try await step(caller, .registers) }
  }
}

extension ClaimModel {
  func holder(of email: EmailAddress) -> StoredAccount? { holder(of: email.key) }
}
