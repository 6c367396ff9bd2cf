import StoreModels
import TestDoubles

@testable import Registration

/// Callers with one invitation, an administrator, the clock and a crash, over the store in memory. Unlike
/// `ExploredWorld` it is not a value, because it uses regd's real store, but it can be copied.
final class InvitedWorld {
  struct Setting {
    /// One role for each caller. Each caller has a separate address.
    var roles: [Role]
    /// Whether all callers use the first caller's address instead.
    var isOneAddress = false
    var uses = 1
    var needsProof = false
    var approval = AdmissionTerms.Approval.none
    /// The answers that the upstream may give. Empty without an upstream.
    var upstream: [Upstream] = []
    var orders: [Order] = []
    var seconds = 0
    var crashes = 0
  }

  /// How many calls of each kind a caller makes.
  struct Role {
    let uid: UInt32
    var origin: Origin?
    /// Whether the caller gives the invitation.
    var isInvited = true
    var registers = 1
    var proofs = 0
  }

  enum Upstream: Int, CaseIterable { case registers, isTaken, timesOut, isOffline }

  /// An administrator's orders, each given at most once.
  enum Order: Int { case revoke, close, approve, refuse, delete }

  enum Move {
    case register(Int)
    /// A caller, and the index of one of its claims.
    case prove(Int, Int)
    case step(Int, Upstream?)
    case order(Order)
    case tick
    case crash
  }

  enum Work {
    case registering(RegistrationConductor, RegistrationConductor.Action)
    case claiming(Claiming)
  }

  /// A call of `Registrar.claim`.
  struct Claiming {
    let entrance: Entrance
    let began: Timestamp
    /// The operations that were done for the call, with their answers.
    var steps: [StoreScript.Step] = []
    /// The operation that the call asks for, or nil if it has ended.
    var operation: ClaimOperation?
    var outcome: RegistrationOutcome?
  }

  struct Run {
    var work: Work
    let invitation: InvitationID?
    /// Whether registration was already closed when the call began.
    let isLate: Bool
    let isProof: Bool
    /// The answers so far.
    var trail: [Int] = []
  }

  struct Caller {
    let role: Role
    var registers = 0
    var proofs = 0
    var run: Run?
    /// The account that the caller received as its own.
    var account: AccountID?
    var made: [ClaimID] = []
  }

  let setting: Setting
  let rows: ImmediateStore
  let accounts: Accounts
  var callers: [Caller]
  let invitation: Invitation
  private let requests: [RequestKey]
  var now = 0
  var crashes = 0
  var given: [Order] = []
  /// The number of accounts that had been made when the invitation was revoked.
  var madeAtRevocation: Int?

  init(_ setting: Setting) async throws {
    self.setting = setting
    callers = setting.roles.map { Caller(role: $0) }
    rows = ImmediateStore()
    accounts = Accounts(rows)
    requests = setting.roles.enumerated().compactMap { RequestKey(uid: $1.uid, id: "\($0)") }
    let made = Fixtures.time
    invitation = Invitation(
      id: InvitationID(at: made), digest: InvitationDigest([1]), email: nil, domain: nil, uses: setting.uses,
      createdAt: made, expiresAt: made.advanced(by: .seconds(100)), note: nil, by: 0, isMailed: false)
    _ = try await accounts.add(invitation, nil, Stamp(made))
  }

  init(copying other: InvitedWorld) {
    (setting, callers, invitation, requests) = (other.setting, other.callers, other.invitation, other.requests)
    (now, crashes, given) = (other.now, other.crashes, other.given)
    madeAtRevocation = other.madeAtRevocation
    rows = ImmediateStore(copying: other.rows)
    accounts = Accounts(rows)
  }

  var time: Timestamp { Fixtures.time.advanced(by: .seconds(now)) }
  var isClosed: Bool { given.contains(.close) }

  func email(_ caller: Int) -> EmailAddress {
    let email = "\(setting.isOneAddress ? 0 : caller)@example.com"
    return EmailAddress(stored: email, key: EmailKey(email))
  }

  func request(_ caller: Int) -> RequestKey { requests[caller] }

  func stamp(_ caller: Int) -> Stamp {
    let role = callers[caller].role
    return Stamp(time, by: Requester(uid: role.uid, pid: 1, origin: role.origin))
  }

  static let terms = VerificationTerms(isRequired: true, claim: .seconds(2), hasMail: true)

  // MARK: Moves

  var moves: [Move] {
    var moves: [Move] = []
    for caller in callers.indices {
      let one = callers[caller]
      guard let run = one.run else {
        if one.registers < one.role.registers { moves.append(.register(caller)) }
        if one.proofs < one.role.proofs { moves += one.made.indices.map { .prove(caller, $0) } }
        continue
      }
      if case .registering(_, .ask) = run.work {
        moves += setting.upstream.map { .step(caller, $0) }
      } else {
        moves.append(.step(caller, nil))
      }
    }
    moves += setting.orders.filter { !given.contains($0) && isPossible($0) }.map { .order($0) }
    if now < setting.seconds { moves.append(.tick) }
    if crashes < setting.crashes, callers.contains(where: { $0.run != nil }) { moves.append(.crash) }
    return moves
  }

  private func isPossible(_ order: Order) -> Bool {
    switch order {
    case .revoke, .close: true
    case .approve, .refuse: first(.waiting) != nil
    case .delete: first(.active) != nil
    }
  }

  private func first(_ state: Account.State) -> Account? { rows.first(state)?.account }

  func go(_ move: Move) async throws {
    try await play(move)
    try check()
  }

  private func play(_ move: Move) async throws {
    switch move {
    case .register(let caller): try await register(caller)
    case .prove(let caller, let index): try prove(callers[caller].made[index], caller)
    case .step(let caller, let upstream): try await step(caller, upstream)
    case .order(let order): try await give(order)
    case .tick: now += 1
    case .crash:
      crashes += 1
      for caller in callers.indices { callers[caller].run = nil }
    }
  }

  private func give(_ order: Order) async throws {
    given.append(order)
    let stamp = Stamp(time)
    switch order {
    case .revoke:
      _ = try await accounts.revokeInvitation(invitation.id, stamp)
      madeAtRevocation = made.count
    case .close: break
    case .approve:
      guard let waiting = first(.waiting) else { return }
      _ = try await accounts.approve(waiting.id, to: setting.upstream.isEmpty ? .active : .pending, nil, stamp)
    case .refuse: if let waiting = first(.waiting) { _ = try await accounts.refuse(waiting.id, nil, stamp) }
    case .delete: if let active = first(.active) { _ = try await accounts.delete(active.id, having: nil, stamp) }
    }
  }

  // MARK: Invariants

  /// All accounts that were ever made by the invitation. If others wait, these are exactly the accounts that never waited.
  private var made: Set<AccountID> {
    let all = Set(rows.entries.filter { AuditEntry.Change.registrations.contains($0.change) }.compactMap(\.account))
    guard setting.approval == .uninvited else { return all }
    return all.subtracting(rows.entries.filter { $0.change == .waiting }.compactMap(\.account))
  }

  private func check() throws {
    let last = rows.entries.reduce(into: [AccountID: AuditEntry.Change]()) { changes, entry in
      if let id = entry.account { changes[id] = entry.change }
    }
    let used = made.filter { last[$0] != .released }.count
    let living = rows.claims(at: time).filter { claim in
      claim.invitation != nil && claim.mayHoldUse && rows.account(claim.account) == nil
    }
    guard let counted = rows.countedInvitation(invitation.id, at: time) else { throw Violation(description: "gone") }
    guard used + living.count <= setting.uses else {
      throw Violation(description: "\(setting.uses) uses made \(used) accounts, and \(living.count) claims hold one")
    }
    guard counted.used == used, counted.held == living.count else {
      throw Violation(
        description: "\(used) accounts and \(living.count) claims, but \(counted.used) and \(counted.held) are said")
    }
    if let madeAtRevocation, made.count > madeAtRevocation {
      throw Violation(description: "an account was made by an invitation that was revoked")
    }
    for caller in callers {
      guard let id = caller.account, last[id] != .deleted, last[id] != .refused else { continue }
      guard rows.account(id) != nil else { throw Violation(description: "an account that was told is gone") }
    }
  }

  /// Two states with the same key have the same transitions.
  var key: String {
    let all = callers.indices.map { index in
      let caller = callers[index]
      let account = rows.account(email(index).key)?.account.state.rawValue ?? "-"
      let claims = caller.made.map { id in
        rows.claim(id, at: time).map { "\($0.state) \($0.expiresAt.microseconds)" } ?? "over"
      }
      let pendingMark = rows.account(email(index).key).map { $0.account.updatedAt.microseconds } ?? 0
      let released = rows.released(request(index), email(index).key, at: time).count
      return "\(caller.registers) \(caller.proofs) \(caller.account != nil) \(caller.run?.trail ?? []) "
        + "\(caller.run?.isLate ?? false) \(account) \(pendingMark) \(claims) \(released)"
    }
    let counted = rows.countedInvitation(invitation.id, at: time)
    return "\(now) \(crashes) \(given) \(counted?.used ?? 0) \(counted?.held ?? 0) \(all)"
  }
}
