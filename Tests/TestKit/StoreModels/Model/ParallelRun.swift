package import Registration
import StoreConformance
import TestDoubles

/// Groups of random concurrent registrations on one store. Whatever their order was, each acknowledged account must
/// then exist exactly once, and repeats must get the same answers.
package struct ParallelRun {
  private let registrar: Registrar
  private let store: Accounts
  private let network: StagedNetwork?
  private var random: SeededGenerator
  private var told: [(caller: Caller, outcome: RegistrationOutcome)] = []

  /// The random request of one caller.
  private struct Caller: Sendable, CustomStringConvertible {
    let email: String
    let password: String
    let request: RequestKey?
    let isImpatient: Bool

    var key: EmailKey { EmailKey(email.lowercased()) }

    var entry: RegistrationEntry {
      RegistrationEntry(
        email: email, password: Fixtures.password(password), passwordConfirmation: Fixtures.password(password))
    }

    var description: String {
      "\(email) \(password) \(request.map { "request \($0.id)" } ?? "no request")\(isImpatient ? ", cancelled" : "")"
    }
  }

  /// - Parameters:
  ///   - rules: Rules that accept addresses of example.com.
  ///   - store: An empty store.
  package init(seed: Int, rules: RegistrationRules, hasUpstream: Bool, store: Accounts) {
    var random = SeededGenerator(seed: UInt64(seed))
    let turns = Turns(seed: random.next())
    network = hasUpstream ? StagedNetwork { await turns.conduct(of: $0) } : nil
    self.store = store
    let slow = store.preparing { (_) async throws(StoreFailure) in await turns.giveAway() }
    registrar = Registrar(
      rules: rules, store: slow.accounts, hasher: PlainHasher(), network: network, time: FixedTime(), signIns: nil)
    self.random = random
  }

  /// - Throws: The mismatch, with all requests and answers.
  package mutating func go(groups: Int) async throws {
    do {
      for _ in 0..<groups { await together((0..<Int.random(in: 2...4, using: &random)).map { _ in caller() }) }
      try await compare()
    } catch {
      let history = told.map { "\($0.caller): \($0.outcome)" }.joined(separator: "\n")
      throw Broken(description: "\(error)\nafter:\n\(history)")
    }
  }

  private mutating func caller() -> Caller {
    let number = Int.random(in: 0..<6, using: &random)
    return Caller(
      email: number % 2 == 0 ? "Name@example.com" : "other@example.com",
      password: Int.random(in: 0..<4, using: &random) == 0 ? "another fine phrase" : "a fine phrase",
      request: number < 4 ? RequestKey(uid: 1, id: "r\(Int.random(in: 0..<3, using: &random))") : nil,
      isImpatient: Int.random(in: 0..<8, using: &random) == 0)
  }

  private mutating func together(_ callers: [Caller]) async {
    let registrar = registrar
    told += await withTaskGroup { group in
      for caller in callers {
        group.addTask {
          let task = Task { await registrar.register(caller.entry, request: caller.request) }
          if caller.isImpatient { task.cancel() }
          return (
            caller,
            await withTaskCancellationHandler {
              await task.value
            } onCancel: {
              task.cancel()
            }
          )
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  // MARK: Comparing

  private func compare() async throws {
    let listed = try await store.list(after: nil, limit: 1000)
    let accounts = Dictionary(uniqueKeysWithValues: listed.map { ($0.account.id, $0) })
    try same(Set(listed.map(\.account.email.key)).count, listed.count, "accounts and their keys")
    let seen = accounts.mapValues { AuditReplay.Remembered(email: $0.account.email.typed, state: $0.account.state) }
    try same(try await AuditReplay.accounts(store), seen, "accounts according to the audit")
    for id in accounts.keys { try same(registrar.isInFlight(id), false, "\(id) under way") }
    let waiting = listed.filter { $0.account.state != .active }
    if network == nil { try same(waiting, [], "pending accounts without an upstream") }
    for (caller, outcome) in told { try await compare(caller, outcome, accounts) }
    await network?.conducts(.answers)
    for (caller, outcome) in told where caller.request != nil {
      guard case .registered(let account) = outcome else { continue }
      let again = await registrar.register(caller.entry, request: caller.request)
      try same(again, .registered(account), "\(caller), asked again")
    }
  }

  private func compare(
    _ caller: Caller, _ outcome: RegistrationOutcome, _ accounts: [AccountID: StoredAccount]
  ) async throws {
    let mayBeCancelled = told.contains { $0.caller.isImpatient && $0.caller.key == caller.key }
    switch outcome {
    case .registered(let account):
      let there = accounts[account.id]
      try same(there?.account, account, "the account that \(caller) got")
      try same(account.state, .active, "its state")
      try same(account.email.key, caller.key, "its address")
      try same(there?.passwordHash.phc, "plain:\(caller.password)", "its password")
      if let network { try same(await network.holders[caller.key], account.id, "the upstream's account") }
    case .taken: break
    case .conflict where caller.request != nil: break
    case .obstructed(.network, _) where network != nil: break
    // a cancelled caller, and callers that have joined it, may get the error that the store did not make the account
    case .obstructed(.store(.unavailable), _) where mayBeCancelled,
      .obstructed(.store(.cancelled), _) where mayBeCancelled:
      break
    // cancelled before the store was called, or while it waited for an equal guess of another caller
    case .obstructed(.cancelled, _) where caller.isImpatient,
      .obstructed(.hashing(.cancelled), _) where caller.isImpatient:
      break
    case .deferred, .claimed, .claimGone, .conflict, .invitationRejected, .obstructed:
      throw Broken(description: "\(caller): \(outcome)")
    }
  }
}

/// Yields a random number of times, so that runs cover many orders.
package actor Turns {
  private var random: SeededGenerator

  package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  package func giveAway() async {
    for _ in 0..<Int.random(in: 0...4, using: &random) { await Task.yield() }
  }

  func next(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
}

extension Turns {
  /// The random conduct of the upstream.
  fileprivate func conduct(of request: StagedNetwork.Request) async -> StagedNetwork.Conduct {
    guard case .register = request else { return .answers }
    await giveAway()
    return switch next(below: 8) {
    case 0...3: .answers
    case 4: .fails(.offline)
    case 5: .actsAndFails(.timeout)
    case 6: .fails(.timeout)
    default: .refuses
    }
  }
}
