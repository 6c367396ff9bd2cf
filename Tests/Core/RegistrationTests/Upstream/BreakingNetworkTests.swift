import Registration
import TestDoubles
import Testing

@Suite("A network that breaks")
struct BreakingNetworkTests {
  private static let email = Fixtures.account("a@example.com").account.email

  private func whenCancelled(_ body: @escaping @Sendable () async -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      group.cancelAll()
      group.addTask { await body() }
    }
  }

  @Test("a cancelled request says nothing of the upstream; a sign-in, which is waited for to its end, does")
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

  @Test("regd's own congestion says nothing of the upstream", arguments: [Share.daemon, Share(uid: 1)])
  func congested(_ share: Share) async {
    let network = BreakingNetwork(StagedNetwork(.fails(.congested(retryAfterSeconds: 1))), .init(failures: 1))
    for _ in 0..<9 {
      await #expect(throws: NetworkFailure.congested(retryAfterSeconds: 1)) {
        try await network.isAvailable(Self.email, for: share)
      }
    }
    #expect(network.state == .closed(failures: 0))
  }

  @Test("one address as it is typed in several ways is one address")
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
    #expect(network.outlook == .works(recoveries: 0), "by the user whose requests have failed alone")
  }

  @Test("how long regd itself waits is its own pause, whichever user probes")
  func pause() async {
    let network = BreakingNetwork(
      StagedNetwork(.fails(.offline)), .init(failures: 1, firstPause: .zero, maximumPause: .zero))
    #expect(network.outlook == .works(recoveries: 0))
    _ = try? await network.isAvailable(Self.email, for: Share(uid: 1))
    #expect(!network.state.isClosed)
    #expect(network.outlook == .down(pause: nil), "its pause is over, and it may probe")
  }
}
