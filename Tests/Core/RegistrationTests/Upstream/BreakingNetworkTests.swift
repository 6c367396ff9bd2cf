import Registration
import TestDoubles
import Testing

@Suite("A network with a circuit breaker")
struct BreakingNetworkTests {
  private static let email = Fixtures.account("a@example.com").account.email

  private func whenCancelled(_ body: @escaping @Sendable () async -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      group.cancelAll()
      group.addTask { await body() }
    }
  }

  @Test("a cancelled request does not count for the breaker, but a sign-in, which runs to its end, counts")
  func cancelled() async {
    let network = BreakingNetwork(StagedNetwork(.fails(.offline)), .init(failures: 1))
    await whenCancelled {
      #expect(Task.isCancelled)
      _ = try? await network.isAvailable(Self.email)
    }
    #expect(network.state == .closed(failures: 0))
    await whenCancelled { _ = try? await network.signIn(Self.email, Fixtures.password("a fine phrase")) }
    #expect(!network.state.isClosed)
  }

  @Test("regd's own congestion does not count as an upstream failure", arguments: [Share.daemon, Share(uid: 1)])
  func congested(_ share: Share) async {
    let network = BreakingNetwork(StagedNetwork(.fails(.congested(retryAfterSeconds: 1))), .init(failures: 1))
    for _ in 0..<9 {
      await #expect(throws: NetworkFailure.congested(retryAfterSeconds: 1)) {
        try await network.isAvailable(Self.email, for: share)
      }
    }
    #expect(network.state == .closed(failures: 0))
  }

  @Test("several spellings of one address count as one address")
  func sameAddress() async {
    let network = BreakingNetwork(StagedNetwork(.fails(.failed)), .init(failures: 2))
    func register(_ typed: String) async {
      let account = Fixtures.account(typed).account
      let registration = UpstreamRegistration(
        id: account.id, email: account.email, passwordHash: PasswordHash(phc: "h"))
      _ = try? await network.register(registration, for: Share(uid: 1))
    }
    for typed in ["a@example.com", "A@example.com", "a@example.com"] { await register(typed) }
    #expect(network.state.isClosed)
    await register("b@example.com")
    #expect(!network.state.isClosed)
    #expect(network.outlook == .works(recoveries: 0), "only the user whose requests failed is blocked")
  }

  @Test("regd waits for its own pause, whichever user probes")
  func pause() async {
    let network = BreakingNetwork(
      StagedNetwork(.fails(.offline)), .init(failures: 1, firstPause: .zero, maximumPause: .zero))
    #expect(network.outlook == .works(recoveries: 0))
    _ = try? await network.isAvailable(Self.email, for: Share(uid: 1))
    #expect(!network.state.isClosed)
    #expect(network.outlook == .down(pause: nil), "the pause is over, and regd may probe")
  }
}
