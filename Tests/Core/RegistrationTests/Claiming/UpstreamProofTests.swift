import TestDoubles
import Testing

@testable import Registration

@Suite("Verifications that need an upstream's approval")
struct UpstreamProofTests {
  @Test("after an upstream fault, the claim can be verified again, and the upstream always gets the same id")
  func fault() async throws {
    let upstream = StagedNetwork()
    let desk = ClaimDesk(network: upstream)
    let claim = try await desk.claim("a@example.com")
    #expect(await upstream.requests.isEmpty, "only the verification registers")
    await upstream.conducts(.fails(.offline))
    #expect(await desk.prove(claim) == .obstructed(.network(.offline)))
    #expect(try await desk.store.list(after: nil, limit: 9).isEmpty)
    await upstream.conducts(.fails(.failed))
    #expect(await desk.prove(claim) == .obstructed(.network(.failed), isPending: true))
    #expect(try await desk.store.list(after: nil, limit: 9).map(\.account.state) == [.pending])
    await upstream.conducts(.answers)
    guard case .proven(let account) = await desk.prove(claim) else {
      Issue.record("not proven again")
      return
    }
    #expect(account.id == claim.account)
    #expect(await desk.prove(claim) == .proven(account))
    #expect(Set(await upstream.registrations.map(\.id)) == [claim.account])
  }

  @Test("if the upstream refuses a verification for good, the claim ends", arguments: [NetworkFailure.rejected])
  func refused(_ failure: NetworkFailure) async throws {
    let upstream = StagedNetwork()
    let desk = ClaimDesk(network: upstream)
    let claim = try await desk.claim("a@example.com")
    await upstream.conducts(.fails(failure))
    #expect(await desk.prove(claim) == .obstructed(.network(failure)))
    #expect(await desk.prove(claim) == .gone)
  }

  @Test(
    "if the upstream refuses a verification only for now, the claim stays open",
    arguments: [
      NetworkFailure.throttled(retryAfterSeconds: nil), .tooEarly, .untrusted, .unavailable(retryAfterSeconds: 3),
    ])
  func later(_ failure: NetworkFailure) async throws {
    let upstream = StagedNetwork()
    let desk = ClaimDesk(network: upstream)
    let claim = try await desk.claim("a@example.com")
    await upstream.conducts(.fails(failure))
    #expect(await desk.prove(claim) == .obstructed(.network(failure)))
    await upstream.conducts(.answers)
    guard case .proven = await desk.prove(claim) else {
      Issue.record("the claim is over")
      return
    }
  }

  @Test("in deferred mode the account stays pending, and after its delivery the claim is verified")
  func deferred() async throws {
    let upstream = StagedNetwork()
    let desk = ClaimDesk(network: upstream, defers: true)
    let other = try await desk.claim("a@example.com", "another phrase", by: ClaimDesk.user(8))
    let claim = try await desk.claim("a@example.com")
    await upstream.conducts(.fails(.offline))
    guard case .deferred(let pending, .offline) = await desk.prove(claim) else {
      Issue.record("not deferred")
      return
    }
    #expect(await desk.prove(other, by: ClaimDesk.user(8)) == .taken, "the address is reserved")
    await upstream.conducts(.answers)
    guard case .activated(let account) = await desk.registrar.deliver(pending.id) else {
      Issue.record("not delivered")
      return
    }
    #expect(await desk.prove(claim) == .proven(account))
    #expect(try await desk.store.find(other.id, at: desk.now)?.state == .taken)
  }

  @Test("a 409 that the outbox accepts ends the verified claim, but not another user's claim for the address")
  func takenLater() async throws {
    let upstream = StagedNetwork()
    let desk = ClaimDesk(network: upstream)
    let other = try await desk.claim("a@example.com", "another phrase", by: ClaimDesk.user(8))
    let claim = try await desk.claim("a@example.com", request: "r")
    await upstream.conducts(.fails(.timeout))
    #expect(await desk.prove(claim) == .obstructed(.network(.timeout), isPending: true))
    await upstream.give(claim.email.key, to: AccountID(at: Fixtures.time))
    await upstream.conducts(.answers)
    // for another process, which does not know the reservation, the grace period has passed
    let later = desk.registrar.adapted(
      to: .init(
        rules: desk.registrar.rules, network: upstream, signIns: nil, signInAuthority: .store,
        defersWhenUnreachable: false, disbelief: .zero, verification: desk.registrar.verification))
    guard case .taken = await later.deliver(claim.account) else {
      Issue.record("not taken")
      return
    }
    #expect(try await desk.store.find(claim.id, at: desk.now) == nil)
    #expect(try await desk.store.find(other.id, at: desk.now)?.state == .open)
    #expect(try await desk.registrar.status(of: try #require(RequestKey(uid: 7, id: "r"))) == .unknown)
  }

  @Test("a repeat of the registration after its claim has expired asks the upstream again")
  func repeated() async throws {
    let upstream = StagedNetwork()
    let desk = ClaimDesk(network: upstream)
    let claim = try await desk.claim("a@example.com", request: "r")
    await upstream.conducts(.fails(.failed))
    #expect(await desk.prove(claim) == .obstructed(.network(.failed), isPending: true))
    desk.pass(.seconds(1) * (claim.expiresAt.microseconds - desk.now.microseconds) / 1_000_000 + .seconds(1))
    #expect(await desk.register("a@example.com", request: "r") == .obstructed(.network(.failed), isPending: true))
    #expect(await desk.register("a@example.com", "another phrase", request: "r") == .conflict)
    await upstream.conducts(.answers)
    guard case .registered(let account) = await desk.register("a@example.com", request: "r") else {
      Issue.record("not registered")
      return
    }
    #expect(account.id == claim.account && account.state == .active)
    #expect(Set(await upstream.registrations.map(\.id)) == [claim.account])
  }

  @Test("many simultaneous verifications of one claim create one account and ask the upstream once")
  func together() async throws {
    let upstream = StagedNetwork()
    let desk = ClaimDesk(network: upstream)
    let claim = try await desk.claim("a@example.com")
    let outcomes = await withTaskGroup(of: ProofOutcome.self) { group in
      for _ in 0..<20 { group.addTask { await desk.prove(claim) } }
      var outcomes: [ProofOutcome] = []
      for await outcome in group { outcomes.append(outcome) }
      return outcomes
    }
    let account = try #require(await desk.store.find(claim.account)?.account)
    #expect(outcomes.allSatisfy { $0 == .proven(account) })
    #expect(await upstream.registrations.count == 1)
  }
}
