import Testing

@testable import Registration

/// Explores all interleavings of calls for one address, with the real functions and conductors, and checks the promises in
/// <doc:Claims>. The numbers of states show that the callers made progress: callers that fail early leave a few hundred
/// states at most.
@Suite("Every interleaving of claims of one address", .timeLimit(.minutes(10)))
struct ExplorerTests {
  private typealias Role = ExploredWorld.Role

  private func explore(_ setting: ExploredWorld.Setting, atLeast states: Int) async {
    let report = await Explorer.explore(setting)
    #expect(report.violation == nil)
    #expect(report.states >= states)
  }

  @Test("invariants hold for an attacker with a claim and an owner who has a claim and types any code that arrived")
  func two() async {
    await explore(
      .init(
        roles: [
          Role(uid: 1, registers: 1, resends: 1, proofs: 1), Role(uid: 2, registers: 1, proofs: 1, wrongCodes: 1),
        ], seconds: 1), atLeast: 1000)
  }

  @Test("invariants hold for three callers with two claims, a second owner connection, a repeated name and a crash")
  func three() async {
    await explore(
      .init(
        roles: [
          Role(uid: 1, hasRequest: true, registers: 2, proofs: 1), Role(uid: 1, proofs: 1), Role(uid: 2, registers: 1),
        ], crashes: 1), atLeast: 1000)
  }

  @Test("invariants hold when codes and claims expire")
  func expiry() async {
    await explore(
      .init(roles: [Role(uid: 1, registers: 1, resends: 1, proofs: 1), Role(uid: 2, proofs: 1)], seconds: 5),
      atLeast: 1000)
  }

  @Test("wrong codes end only their own user's claim, also in parallel")
  func attempts() async {
    await explore(
      .init(roles: [
        Role(uid: 1, registers: 1, proofs: 1, wrongCodes: 2), Role(uid: 1, wrongCodes: 2), Role(uid: 2, wrongCodes: 1),
      ]), atLeast: 200)
  }

  @Test("invariants hold with a crash and an upstream that registers, refuses, is offline or times out")
  func upstream() async {
    await explore(
      .init(
        roles: [Role(uid: 1, registers: 1, proofs: 1), Role(uid: 1, proofs: 1), Role(uid: 2, registers: 1)],
        crashes: 1, upstream: ExploredWorld.Upstream.allCases), atLeast: 1000)
  }

  @Test("invariants hold for concurrent recoveries of one account")
  func recoveries() async {
    await explore(
      .init(
        roles: [
          Role(uid: 1, registers: 1, proofs: 1), Role(uid: 2, registers: 1, proofs: 1, wrongCodes: 1),
        ], crashes: 1, hasAccount: true), atLeast: 500)
  }
}
