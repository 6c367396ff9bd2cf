import TestDoubles
import Testing

@testable import Registration

/// All interleavings of callers who have one invitation, over the very conductors and the store's own operations, hold what is promised
/// (<doc:WhoMayRegister>). The numbers of states tell that the callers came to do what they may do.
@Suite("Every interleaving of one invitation", .timeLimit(.minutes(10)))
struct InvitedWorldTests {
  private typealias Role = InvitedWorld.Role

  /// Visits all states that a setting leads to, each once. One of a state's moves is gone on with at once; the others are played from the
  /// beginning later.
  private func explore(_ setting: InvitedWorld.Setting, atLeast states: Int) async throws {
    var visited: Set<String> = []
    var open: [[InvitedWorld.Move]] = [[]]
    while var path = open.popLast() {
      do {
        let world = try InvitedWorld(setting)
        for move in path.dropLast() { try world.play(move) }
        if let last = path.last { try world.go(last) }
        while visited.insert(world.key).inserted {
          if visited.count % 200 == 0 { await Task.yield() }
          let moves = world.moves
          guard let next = moves.last else { break }
          for move in moves.dropLast() { open.append(path + [move]) }
          path.append(next)
          try world.go(next)
        }
      } catch let violation as Violation {
        Issue.record("\(violation) after:\n\(path.map { "\($0)" }.joined(separator: "\n"))")
        return
      }
    }
    #expect(visited.count >= states)
  }

  @Test("two callers and one use; a repeat after it was revoked, and in a closed house; an account is deleted")
  func plain() async throws {
    try await explore(
      .init(roles: [Role(uid: 1, registers: 2), Role(uid: 2)], orders: [.revoke, .close, .delete], crashes: 1),
      atLeast: 1000)
  }

  @Test("two callers and two uses: a third one is refused")
  func uses() async throws {
    try await explore(
      .init(roles: [Role(uid: 1), Role(uid: 1), Role(uid: 2)], uses: 2, orders: [.revoke]), atLeast: 500)
  }

  @Test(
    "claims hold a use until they expire, are proven or taken over by the same origin; an administrator closes the house"
  )
  func claims() async throws {
    let origin = Origin("10.0.0.1")
    try await explore(
      .init(
        roles: [
          Role(uid: 1, origin: origin, proofs: 1), Role(uid: 1, origin: origin, proofs: 1), Role(uid: 2, proofs: 1),
        ], needsProof: true, orders: [.close], seconds: 2), atLeast: 1000)
  }

  @Test("claims of one address: who is first proven leaves the others nothing that they hold")
  func rivals() async throws {
    try await explore(
      .init(
        roles: [Role(uid: 1, proofs: 1), Role(uid: 2, proofs: 1), Role(uid: 3)], isOneAddress: true, uses: 2,
        needsProof: true, orders: [.revoke], seconds: 1), atLeast: 500)
  }

  @Test("claims end when the invitation is revoked, and their callers come again")
  func revoked() async throws {
    try await explore(
      .init(
        roles: [Role(uid: 1, registers: 2, proofs: 2), Role(uid: 2, proofs: 1)], needsProof: true, orders: [.revoke],
        seconds: 2, crashes: 1), atLeast: 1000)
  }

  @Test("an upstream that registers, refuses, is away or does not answer: what is released gives its use back")
  func upstream() async throws {
    try await explore(
      .init(
        roles: [Role(uid: 1, registers: 2), Role(uid: 2)], upstream: InvitedWorld.Upstream.allCases, crashes: 1),
      atLeast: 700)
  }

  @Test("proofs before an upstream: the use goes back to the claim that lives on")
  func upstreamOfClaims() async throws {
    try await explore(
      .init(
        roles: [Role(uid: 1, proofs: 2), Role(uid: 2, proofs: 1)], needsProof: true,
        upstream: [.registers, .isTaken, .isOffline], seconds: 2), atLeast: 1000)
  }

  @Test("accounts that wait: approved, refused, deleted; a refused one gives nothing back")
  func approval() async throws {
    try await explore(
      .init(
        roles: [Role(uid: 1, registers: 2, proofs: 1), Role(uid: 2, proofs: 1)], needsProof: true, needsApproval: true,
        orders: [.approve, .refuse, .delete], seconds: 1), atLeast: 900)
  }
}
