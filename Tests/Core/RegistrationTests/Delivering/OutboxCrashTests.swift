import AddressNormalization
import Registration
import TestDoubles
import Testing

/// The account in regd and the account upstream, with processes that die at any call.
@Suite("Registrations over two systems")
struct OutboxCrashTests {
  private static let email = "name@example.com"
  private static let key = EmailKey(email)

  /// The state that outlives the processes.
  private struct World {
    let store = MemoryStore()
    let upstream: StagedNetwork

    init(_ conduct: [StagedNetwork.Conduct]) { upstream = StagedNetwork(conduct) }

    /// A process that dies with this `Life`.
    func registrar(_ life: Life, defers: Bool) -> Registrar {
      let normalizer = UnicodeNormalizer()
      let rules = RegistrationRules(
        email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer))
      return Registrar(
        rules: rules, store: store.accounts.until(endOf: life), hasher: PlainHasher(),
        network: MortalNetwork(upstream, life),
        time: FixedTime(), signIns: nil, defersWhenUnreachable: defers)
    }

    func outbox(_ life: Life, defers: Bool) -> Outbox {
      Outbox(registrar(life, defers: defers), breaker: nil, pendings: OutboxInbox())
    }

    /// Checks that regd and the upstream agree: both have the account or neither, and no account was registered twice.
    func agree(_ context: Comment) async throws {
      let here = try await store.find(OutboxCrashTests.key)?.account
      let there = await upstream.holders[OutboxCrashTests.key]
      #expect(here?.state ?? .active == .active, context)
      #expect(here?.id == there, context)
      let ids = Set(await upstream.registrations.map(\.id))
      #expect(ids.count <= 1, context)
      #expect(Set(await upstream.registrations.map(\.passwordHash)).count <= 1, context)
    }
  }

  private static let entry = RegistrationEntry(
    email: email, password: Fixtures.password("a fine phrase"), passwordConfirmation: Fixtures.password("a fine phrase")
  )

  private static let immortal = Life(diesAt: nil, after: false)

  private static let conducts: [[StagedNetwork.Conduct]] = [
    [.answers], [.fails(.offline)], [.fails(.timeout)], [.actsAndFails(.timeout)], [.actsAndFails(.failed)],
    [.fails(.emptyResponse), .fails(.unavailable(retryAfterSeconds: 1))],
    [.actsAndFails(.malformedResponse), .fails(.offline)],
  ]

  @Test(
    "after a kill at any call of a registration and of its delivery, regd and the upstream agree in the end",
    arguments: conducts, [false, true])
  func killed(_ conduct: [StagedNetwork.Conduct], _ defers: Bool) async throws {
    let request = RequestKey(uid: 1, id: "r")
    var isOver = true
    var first = 0
    while isOver {
      first += 1
      for (after, second) in [(false, 1), (true, 1), (false, 2), (true, 2), (false, 3), (true, 3)] {
        let world = World(conduct)
        let life = Life(diesAt: first, after: after)
        let outcome = await world.registrar(life, defers: defers).register(
          Self.entry, request: request, by: Requester(uid: 1, pid: 1))
        isOver = await life.isOver
        let context: Comment = "killed at call \(first), after \(after), then at \(second)"
        // the delivery also dies, and starts again
        _ = await world.outbox(Life(diesAt: second + 1, after: after), defers: defers).round()
        let outbox = world.outbox(Self.immortal, defers: defers)
        for number in 1...3 where try await world.store.pendingCount() > 0 {
          _ = await outbox.round(at: .now + .seconds(1_000_000 * number))
        }
        try await world.agree(context)
        if case .registered(let told) = outcome {
          #expect(try await world.store.find(Self.key)?.account.id == told.id, context)
        }
        await world.upstream.conducts([])
        // a repeat by the caller returns the same account, or registers now
        let again = await world.registrar(Self.immortal, defers: defers).register(
          Self.entry, request: request, by: Requester(uid: 1, pid: 1))
        guard case .registered(let account) = again else {
          Issue.record("\(again), \(context)")
          return
        }
        #expect(await world.upstream.holders == [Self.key: account.id], context)
        #expect(Set(try await world.store.list(after: nil, limit: 9).map(\.account)) == [account], context)
      }
    }
    #expect(first > 4, "the calls were counted")
  }
}
