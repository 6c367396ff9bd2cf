import TestDoubles
import Testing

@testable import Registration

/// Explores all interleavings of callers with one invitation, with the real functions, conductors and operations of the store,
/// and checks the promises in <doc:WhoMayRegister>. The numbers of states show that the callers made progress.
@Suite("Every interleaving of one invitation", .timeLimit(.minutes(10)))
struct InvitedWorldTests {
  private typealias Role = InvitedWorld.Role

  /// Visits all states that are reachable from a setting, each once.
  private func explore(_ setting: InvitedWorld.Setting, atLeast states: Int) async throws {
    let start = try await InvitedWorld(setting)
    var visited: Set<String> = [start.key]
    var open: [(world: InvitedWorld, path: [InvitedWorld.Move])] = [(start, [])]
    while let (world, path) = open.popLast() {
      for move in world.moves {
        let next = InvitedWorld(copying: world)
        do {
          try await next.go(move)
        } catch let violation as Violation {
          Issue.record("\(violation) after:\n\((path + [move]).map { "\($0)" }.joined(separator: "\n"))")
          return
        }
        guard visited.insert(next.key).inserted else { continue }
        if visited.count % 200 == 0 { await Task.yield() }
        open.append((next, path + [move]))
      }
    }
    #expect(visited.count >= states)
  }

  @Test("invariants hold for two callers and one use, with a repeat, a revocation, a closed mode and a deletion")
  func plain() async throws {
    try await explore(
      .init(roles: [Role(uid: 1, registers: 2), Role(uid: 2)], orders: [.revoke, .close, .delete], crashes: 1),
      atLeast: 1000)
  }

  @Test("an invitation with two uses admits at most two of three callers")
  func uses() async throws {
    try await explore(
      .init(roles: [Role(uid: 1), Role(uid: 1), Role(uid: 2)], uses: 2, orders: [.revoke]), atLeast: 500)
  }

  @Test(
    "invariants hold for claims that expire, are verified or replaced by the same origin, also in closed mode"
  )
  func claims() async throws {
    let origin = Origin("10.0.0.1")
    try await explore(
      .init(
        roles: [
          Role(uid: 1, origin: origin, proofs: 1), Role(uid: 1, origin: origin, proofs: 1), Role(uid: 2, proofs: 1),
        ], needsProof: true, orders: [.close], seconds: 2), atLeast: 400)
  }

  @Test("when the first of several claims for one address is verified, the others no longer hold a use")
  func rivals() async throws {
    try await explore(
      .init(
        roles: [Role(uid: 1, proofs: 1), Role(uid: 2, proofs: 1), Role(uid: 3)], isOneAddress: true, uses: 2,
        needsProof: true, orders: [.revoke], seconds: 1), atLeast: 200)
  }

  @Test("invariants hold when a revocation ends claims and their callers register again")
  func revoked() async throws {
    try await explore(
      .init(
        roles: [Role(uid: 1, registers: 2, proofs: 2), Role(uid: 2, proofs: 1)], needsProof: true, orders: [.revoke],
        seconds: 2, crashes: 1), atLeast: 400)
  }

  @Test("invariants hold for every answer of an upstream, and a released registration returns its use")
  func upstream() async throws {
    try await explore(
      .init(
        roles: [Role(uid: 1, registers: 2), Role(uid: 2)], upstream: InvitedWorld.Upstream.allCases, crashes: 1),
      atLeast: 700)
  }

  @Test("invariants hold for verifications with an upstream, and a claim that stays open gets its use back")
  func upstreamOfClaims() async throws {
    try await explore(
      .init(
        roles: [Role(uid: 1, proofs: 2), Role(uid: 2, proofs: 1)], needsProof: true,
        upstream: [.registers, .isTaken, .isOffline], seconds: 2), atLeast: 400)
  }

  @Test("invariants hold for approved, refused and deleted accounts, and a refused account does not return its use")
  func approval() async throws {
    try await explore(
      .init(
        roles: [Role(uid: 1, registers: 2, proofs: 1), Role(uid: 2, proofs: 1)], needsProof: true,
        approval: .administrator, orders: [.approve, .refuse, .delete], seconds: 1), atLeast: 360)
  }

  @Test("if only uninvited accounts wait, exactly the accounts that use the invitation never wait")
  func uninvited() async throws {
    try await explore(
      .init(
        roles: [Role(uid: 1, registers: 2), Role(uid: 2, isInvited: false), Role(uid: 3)], approval: .uninvited,
        orders: [.approve, .revoke], crashes: 1), atLeast: 300)
  }

  @Test("if only uninvited accounts wait, a verified account waits unless its claim was made with the invitation")
  func uninvitedClaims() async throws {
    try await explore(
      .init(
        roles: [Role(uid: 1, proofs: 1), Role(uid: 2, isInvited: false, proofs: 1)], needsProof: true,
        approval: .uninvited, orders: [.approve, .revoke, .delete], seconds: 1), atLeast: 80)
  }

  @Test("if only uninvited accounts wait, an upstream's answer changes neither who waits nor the count of uses")
  func uninvitedUpstream() async throws {
    try await explore(
      .init(
        roles: [Role(uid: 1, registers: 2), Role(uid: 2, isInvited: false, registers: 2)], approval: .uninvited,
        upstream: InvitedWorld.Upstream.allCases, crashes: 1), atLeast: 300)
  }
}
