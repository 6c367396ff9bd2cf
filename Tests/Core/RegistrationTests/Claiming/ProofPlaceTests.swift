import TestDoubles
import Testing

@testable import Registration

/// The place that a proof came from.
@Suite("The place of a proof")
struct ProofPlaceTests {
  /// Has others guess at an account until a stranger has to wait there, even with the right password.
  private func guess(at email: String, _ desk: ClaimDesk) async {
    // three of each place are free, and a hundred of all
    for number in 0..<120 { _ = await desk.signIn(email, "guess \(number)", by: ClaimDesk.user(8, "\(number)")) }
    guard case .obstructed(.throttled) = await desk.signIn(email, by: ClaimDesk.user(7, "elsewhere")) else {
      Issue.record("guesses at an account have no bound")
      return
    }
  }

  @Test("what others guess at an address stands in no way of the first sign-in from where it was proven")
  func known() async throws {
    let desk = ClaimDesk()
    let owner = ClaimDesk.user(7, "home")
    let claim = try await desk.claim("a@example.com", by: owner)
    guard case .proven(let account) = await desk.prove(claim, by: owner) else {
      Issue.record("not proven")
      return
    }
    await guess(at: "a@example.com", desk)
    #expect(await desk.signIn("a@example.com", "wrong", by: owner) == .refused(.rejected))
    #expect(await desk.signIn("a@example.com", by: owner) == .signedIn(account))
  }

  @Test("a proof whose end the upstream still has to tell was made there, too")
  func pending() async throws {
    let upstream = StagedNetwork([.fails(.timeout)])
    let desk = ClaimDesk(network: upstream)
    let owner = ClaimDesk.user(7, "home")
    let claim = try await desk.claim("a@example.com", by: owner)
    #expect(await desk.prove(claim, by: owner) == .obstructed(.network(.timeout), isPending: true))
    guard case .activated(let account) = await desk.registrar.deliver(claim.account) else {
      Issue.record("not delivered")
      return
    }
    await guess(at: "a@example.com", desk)
    #expect(await desk.signIn("a@example.com", by: owner) == .signedIn(account))
  }

  @Test("an address that was changed is the owner's from the same place")
  func changed() async throws {
    let desk = ClaimDesk(VerificationTerms(hasMail: true))
    let owner = ClaimDesk.user(7, "home")
    _ = await desk.register("a@example.com", by: owner)
    let password = Fixtures.password("a fine phrase")
    guard
      case .changed(let account) = await desk.registrar.changeEmail(
        "a@example.com", password, to: "b@example.com", language: nil, by: owner)
    else {
      Issue.record("not changed")
      return
    }
    await guess(at: "b@example.com", desk)
    #expect(await desk.signIn("b@example.com", by: owner) == .signedIn(account))
  }
}
