import TestDoubles
import Testing

@testable import Registration

/// The client that verified an address.
@Suite("Known clients after a verification")
struct ProofClientTests {
  /// Guesses passwords as other users until a stranger has to wait at the account, even with the correct password.
  private func guess(at email: String, _ desk: ClaimDesk) async {
    // each client has three free guesses, and all clients together have a hundred
    for number in 0..<120 { _ = await desk.signIn(email, "guess \(number)", by: ClaimDesk.user(8, "\(number)")) }
    guard case .obstructed(.throttled) = await desk.signIn(email, by: ClaimDesk.user(7, "elsewhere")) else {
      Issue.record("guesses at an account have no bound")
      return
    }
  }

  @Test("guesses by others do not block the first sign-in from the client that verified the address")
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

  @Test("a client is also known if the upstream confirms its verification only later")
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

  @Test("after a change of address, the owner's client is known at the new address")
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
