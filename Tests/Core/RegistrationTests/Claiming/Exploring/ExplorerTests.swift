import Testing

@testable import Registration

/// All interleavings of what callers do about one address, over the very conductors, hold what is promised (<doc:Claims>). The numbers of
/// states tell that the callers came to do what they may do: callers that get nowhere leave a few hundred states at the most.
@Suite("Every interleaving of claims of one address", .timeLimit(.minutes(10)))
struct ExplorerTests {
  private typealias Role = ExploredWorld.Role

  private func explore(_ setting: ExploredWorld.Setting, atLeast states: Int) async {
    let report = await Explorer.explore(setting)
    #expect(report.violation == nil)
    #expect(report.states >= states)
  }

  @Test("an owner and an attacker, each with a claim; the owner types any code that has arrived")
  func two() async {
    await explore(
      .init(
        roles: [
          Role(uid: 1, registers: 1, resends: 1, proofs: 1), Role(uid: 2, registers: 1, proofs: 1, wrongCodes: 1),
        ], seconds: 1), atLeast: 1000)
  }

  @Test("three callers and two claims: one more connection of the owner's, a repeat by its name, a crash")
  func three() async {
    await explore(
      .init(
        roles: [
          Role(uid: 1, hasRequest: true, registers: 2, proofs: 1), Role(uid: 1, proofs: 1), Role(uid: 2, registers: 1),
        ], crashes: 1), atLeast: 1000)
  }

  @Test("codes run out and claims expire")
  func expiry() async {
    await explore(
      .init(roles: [Role(uid: 1, registers: 1, resends: 1, proofs: 1), Role(uid: 2, proofs: 1)], seconds: 5),
      atLeast: 1000)
  }

  @Test("wrong codes end a claim, in parallel too, and only its own user's")
  func attempts() async {
    await explore(
      .init(roles: [
        Role(uid: 1, registers: 1, proofs: 1, wrongCodes: 2), Role(uid: 1, wrongCodes: 2), Role(uid: 2, wrongCodes: 1),
      ]), atLeast: 200)
  }

  @Test("with an upstream that registers, refuses, is away or does not answer, and a crash")
  func upstream() async {
    await explore(
      .init(
        roles: [Role(uid: 1, registers: 1, proofs: 1), Role(uid: 1, proofs: 1), Role(uid: 2, registers: 1)],
        crashes: 1, upstream: ExploredWorld.Upstream.allCases), atLeast: 1000)
  }

  @Test("recoveries of one account beside each other")
  func recoveries() async {
    await explore(
      .init(
        roles: [
          Role(uid: 1, registers: 1, proofs: 1), Role(uid: 2, registers: 1, proofs: 1, wrongCodes: 1),
        ], crashes: 1, hasAccount: true), atLeast: 500)
  }
}
