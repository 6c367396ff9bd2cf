package import Registration
import StoreConformance
import TestDoubles
import Testing

/// A random run of operations on a store and on the model. regd's answers must be the model's, and after each operation
/// the store's content must equal the model's, and the audit must explain it.
package struct ModelRun {
  private let open: () async throws -> Accounts
  private let rules: RegistrationRules
  private let hasUpstream: Bool
  private var random: SeededGenerator
  private(set) var store: Accounts
  var model = AccountModel()
  private let network = StagedNetwork()
  var steps: [String] = []

  private static let keys = (0..<4).map { "n\($0)@example.com" }
  private static let passwords = ["first fine phrase", "second fine phrase"]

  /// - Parameter open: Opens the store, at later calls with its earlier content.
  package init(
    seed: UInt64, rules: RegistrationRules, hasUpstream: Bool, open: @escaping () async throws -> Accounts
  ) async throws {
    self.open = open
    self.rules = rules
    self.hasUpstream = hasUpstream
    random = SeededGenerator(seed: seed)
    store = try await open()
  }

  /// - Throws: The mismatch, with all steps that led to it.
  package mutating func go(steps count: Int) async throws {
    do {
      for _ in 0..<count {
        try await step()
        try await compare()
      }
    } catch {
      throw Broken(description: "\(error)\nafter:\n\(steps.joined(separator: "\n"))")
    }
  }

  /// Opens the store again, and checks that its content is the same.
  package mutating func reopen() async throws {
    steps.append("opened again")
    store = try await open()
    try await compare()
  }

  private mutating func step() async throws {
    let key = pick(Self.keys)
    let password = pick(Self.passwords)
    switch UInt8.random(in: 0..<23, using: &random) {
    case 0..<6: try await register(key, password, nil)
    case 6..<10: try await register(key, password, request())
    case 10..<12: try await registerAndDie(key, password, Bool.random(using: &random) ? request() : nil)
    case 12..<14: try await signIn(key, password)
    case 14: try await setEnabled(key, false)
    case 15: try await setEnabled(key, true)
    case 16: try await delete(key)
    case 17: try await setPassword(key, password)
    case 18: try await importing(key, password)
    case 19 where hasUpstream && Bool.random(using: &random): try await deliver()
    case 20, 21: try await changeGroups(key)
    case 22: try await setDisplayName(key)
    default:
      steps.append("restart")
      store = try await open()
    }
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &random)]
  }

  private mutating func request() -> RequestKey? {
    RequestKey(uid: UInt32.random(in: 1...2, using: &random), id: "r\(Int.random(in: 0..<4, using: &random))")
  }

  private func entry(_ key: String, _ password: String) -> RegistrationEntry {
    RegistrationEntry(
      email: key.uppercased(), password: Fixtures.password(password), passwordConfirmation: Fixtures.password(password))
  }

  private func registrar(_ store: Accounts) -> Registrar {
    Registrar(
      rules: rules, store: store.accounts, hasher: PlainHasher(), network: hasUpstream ? network : nil,
      time: FixedTime(),
      signIns: nil)
  }

  var administrator: Administrator {
    Administrator(
      store: store.accounts, hasher: PlainHasher(), hashes: PlainHasher(), time: FixedTime(), forgive: { _ in },
      registrar: Reloadable(registrar(store)))
  }

  // MARK: Registering

  private mutating func register(_ key: String, _ password: String, _ request: RequestKey?) async throws {
    let upstream = try await chooseUpstream()
    steps.append("register \(key) \(password) \(named(request)) upstream \(named(upstream))")
    let outcome = await registrar(store).register(
      entry(key, password), request: request, by: Requester(uid: 1, pid: 2))
    let made = try await store.find(EmailKey(key))?.account.id
    let holders = await network.holders
    let expected = model.register(
      key, password, request, upstream: upstream.map { answer($0, for: key, holders) }, newID: made)
    try same(try answer(outcome), expected, "register")
    if case .registered(let account) = outcome { try same(account.id, model.accounts[key]?.id, "the account's id") }
  }

  /// Makes the outbox try each waiting registration once. Ignores pauses, which would never end because the clock is
  /// fixed.
  private mutating func deliver() async throws {
    guard let upstream = try await chooseUpstream() else { return }
    steps.append("deliver, upstream \(named(upstream))")
    let outbox = Outbox(registrar(store), breaker: nil, pendings: OutboxInbox())
    try await outbox.look()
    _ = (await outbox.retry(nil), await outbox.round())
    let holders = await network.holders
    let answers = model.accounts.keys.map { ($0, answer(upstream, for: $0, holders)) }
    model.deliver { key in answers.first { $0.0 == key }?.1 ?? upstream }
  }

  /// The upstream's answer for a pending account. An upstream that registers nothing new still has what it registered just
  /// before the process was killed.
  private func answer(_ upstream: Upstream, for key: String, _ holders: [EmailKey: AccountID]) -> Upstream {
    guard upstream == .hasTaken, let entry = model.accounts[key], entry.state == .pending else { return upstream }
    return holders[EmailKey(key)] == entry.id ? .accepts : upstream
  }

  /// Registers in a process that is killed before or after one of the store's calls, so that no answer arrives. Then
  /// the process starts again, and the caller repeats the request.
  private mutating func registerAndDie(_ key: String, _ password: String, _ request: RequestKey?) async throws {
    let upstream = try await chooseUpstream()
    let call = Int.random(in: 1...4, using: &random)
    let mortal = store.until(endOf: Life(diesAt: call, after: Bool.random(using: &random)))
    steps.append("register \(key) \(password) \(named(request)) upstream \(named(upstream)), killed at call \(call)")
    _ = await registrar(mortal).register(entry(key, password), request: request, by: Requester(uid: 1, pid: 2))
    store = try await open()
    // the registration is complete, absent or reserved: the model adopts what the store has
    try await adopt(key, password, request)
    try await compare()
    try await register(key, password, request)
  }

  private mutating func adopt(_ key: String, _ password: String, _ request: RequestKey?) async throws {
    let known = model.accounts[key]
    let found = try await store.find(EmailKey(key))?.account
    guard known == nil || known?.state == .pending else {
      // an acknowledged account does not change
      return try same(found.map { [$0.id] }, known.map { [$0.id] }, "the account before the kill")
    }
    var noted: KnownRequest?
    if let request { noted = try await store.find(request) }
    guard let found else { return model.remove(key) }
    if found.id != known?.id {
      model.remove(key)
      model.accounts[key] = .init(id: found.id, password: password, state: found.state)
      // the request exists exactly if its account does
      let isFree = request.map { model.requests[$0] == nil } ?? false
      if isFree { try same(noted?.account.id, found.id, "the request of a new account") }
    }
    model.accounts[key]?.state = found.state
    if noted?.account.id == found.id { model.note(request, key, password) }
  }

  private func answer(_ outcome: RegistrationOutcome) throws -> AccountModel.Answer {
    switch outcome {
    case .registered: .registered
    case .taken: .taken
    case .conflict: .conflict
    case .obstructed(.network, let isPending): .network(isPending: isPending)
    case .deferred, .claimed, .claimGone, .invitationRejected, .obstructed:
      throw Broken(description: "\(outcome)")
    }
  }

  private mutating func chooseUpstream() async throws -> Upstream? {
    guard hasUpstream else { return nil }
    let upstream = pick([.accepts, .accepts] + Upstream.allCases)
    await network.conducts(upstream.conduct)
    return upstream
  }

  private func named(_ request: RequestKey?) -> String { request.map { "request \($0.uid)/\($0.id)" } ?? "no request" }
  private func named(_ upstream: Upstream?) -> String { upstream.map { "\($0)" } ?? "none" }

  // MARK: Other operations

  private mutating func signIn(_ key: String, _ password: String) async throws {
    let groups = pick(Self.smallGroups)
    steps.append("sign in \(key) \(password), required \(groups)")
    let outcome = await registrar(store).signIn(
      email: key, password: Fixtures.password(password), by: Requester(uid: 1, pid: 2),
      requiring: GroupRequirement(groups))
    let account = try await store.find(EmailKey(key))?.account
    let expected: SignInOutcome =
      switch model.accounts[key] {
      case .some(let entry) where entry.password == password:
        switch entry.state {
        case .active where !groups.isEmpty && entry.groups.isDisjoint(with: groups): .refused(.notMember)
        case .active: account.map { .signedIn($0) } ?? .refused(.rejected)
        case .disabled: .refused(.disabled)
        case .pending: .refused(.pending)
        case .waiting: account.map { .refused(.waiting($0)) } ?? .refused(.rejected)
        }
      default: .refused(.rejected)
      }
    try same(outcome, expected, "sign in")
  }

  private mutating func setEnabled(_ key: String, _ isEnabled: Bool) async throws {
    steps.append("\(isEnabled ? "enable" : "disable") \(key)")
    let outcome = await administrator.setEnabled(.email(key), isEnabled, by: nil)
    switch model.accounts[key]?.state {
    case nil: try same(outcome, .notFound, "setEnabled")
    case .pending: try same(outcome, .pending, "setEnabled")
    case .waiting: try same(outcome, .waiting, "setEnabled")
    case .active, .disabled:
      model.accounts[key]?.state = isEnabled ? .active : .disabled
      guard case .account = outcome else { throw Broken(description: "setEnabled: \(outcome)") }
    }
  }

  private mutating func delete(_ key: String) async throws {
    steps.append("delete \(key)")
    let outcome = await administrator.delete(.email(key), by: nil)
    try same(outcome, model.accounts[key] == nil ? .notFound : .deleted, "delete")
    model.remove(key)
  }

  private mutating func setPassword(_ key: String, _ password: String) async throws {
    steps.append("set password \(key) \(password)")
    let typed = Fixtures.password(password)
    let outcome = await administrator.setPassword(.email(key), typed, confirmation: typed, by: nil)
    guard let state = model.accounts[key]?.state else { return try same(outcome, .notFound, "setPassword") }
    guard state != .pending else { return try same(outcome, .pending, "setPassword") }
    model.accounts[key]?.password = password
    guard case .account = outcome else { throw Broken(description: "setPassword: \(outcome)") }
  }

  private mutating func importing(_ key: String, _ password: String) async throws {
    let groups = pick(Self.groups)
    steps.append("import \(key) \(password) in \(groups)")
    var fresh = Fixtures.account(key, hash: "plain:\(password)")
    fresh.account.groups = Groups(groups) ?? .none
    let answers = try await store.importing([fresh], Stamp(Fixtures.time))
    switch model.accounts[key] {
    case nil:
      try same(answers, [.imported], "import")
      model.accounts[key] = .init(id: fresh.account.id, password: password, state: .active, groups: Set(groups))
    case .some(let entry):
      try same(answers, [entry.password == password ? .present : .emailTaken], "import")
    }
  }
}
