import AddressNormalization
import Synchronization
import TestDoubles
import Testing
import Tracing

@testable import Registration

@Suite("Traces of deliveries")
struct DeliveryTraceTests {
  private final class Seen: Sendable {
    private let list = Mutex<[Trace?]>([])
    func add() { list.withLock { $0.append(Trace.current) } }
    var all: [Trace?] { list.withLock { $0 } }
  }

  @Test("each attempt of the outbox has its own trace, with the account that it delivers")
  func attempts() async throws {
    let (store, seen, reported) = (MemoryStore(), Seen(), Seen())
    let accounts = ["a@example.com", "b@example.com"].map { Fixtures.account($0, state: .pending) }
    for account in accounts { _ = try await store.insert(account) }
    let network = StagedNetwork { _ in
      seen.add()
      return .answers
    }
    let normalizer = UnicodeNormalizer()
    let pendings = OutboxInbox()
    let registrar = Registrar(
      rules: RegistrationRules(
        email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer)),
      store: store.accounts, hasher: PlainHasher(), network: network, time: FixedTime(), signIns: nil,
      leftPending: pendings)
    let outbox = Outbox(registrar, breaker: nil, pendings: pendings, observer: { _ in reported.add() })
    _ = await outbox.round(at: .now + .seconds(10_000_000))
    let traces = seen.all.compactMap { $0 }
    #expect(Set(traces.compactMap(\.account)) == Set(accounts.map { "\($0.account.id)" }))
    #expect(Set(traces.map(\.id)).count == 2)
    #expect(traces.allSatisfy { $0.caller == nil })
    // the reports of an attempt belong to its trace
    #expect(Set(reported.all.compactMap { $0?.id }) == Set(traces.map(\.id)))
    #expect(Trace.current == nil)
  }
}
