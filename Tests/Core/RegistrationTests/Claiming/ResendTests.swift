import TestDoubles
import Testing

@testable import Registration

@Suite("Resent mails of claims")
struct ResendTests {
  private let user = ClaimDesk.user(7)

  @Test("a resend is refused for 60 s, then mails the same code, and after the code's expiry a new code")
  func codes() async throws {
    let desk = ClaimDesk()
    let claim = try await desk.claim("a@example.com")
    let code = desk.codes.code(of: claim)
    #expect(await desk.registrar.resend(claim.id, by: user) == .tooSoon(retryAfterSeconds: 60))
    desk.pass(.seconds(60))
    guard case .claimed(let again) = await desk.registrar.resend(claim.id, by: user) else {
      Issue.record("not sent again")
      return
    }
    #expect(desk.codes.code(of: again) == code)
    #expect(try await desk.mails().count == 2)
    #expect(again.resendAt == desk.now.advanced(by: .seconds(60)))
    desk.pass(.seconds(840))
    #expect(await desk.prove(claim, code) == .codeRejected(attemptsLeft: 5), "the code has expired")
    guard case .claimed(let renewed) = await desk.registrar.resend(claim.id, by: user) else {
      Issue.record("not renewed")
      return
    }
    #expect(desk.codes.code(of: renewed) != code)
    guard case .proven = await desk.prove(renewed) else {
      Issue.record("the new code was refused")
      return
    }
  }

  @Test("another user's claim and a verified claim cannot be resent")
  func gone() async throws {
    let desk = ClaimDesk()
    let claim = try await desk.claim("a@example.com")
    desk.pass(.seconds(60))
    #expect(await desk.registrar.resend(claim.id, by: ClaimDesk.user(8)) == .gone)
    _ = await desk.prove(claim)
    #expect(await desk.registrar.resend(claim.id, by: user) == .gone)
  }

  @Test("an address gets twelve mails an hour, then only the first mail of each origin, and at most 24")
  func bound() async throws {
    let desk = ClaimDesk()
    for _ in 0..<14 { _ = try await desk.claim("a@example.com", by: ClaimDesk.user(7, "mallory")) }
    #expect(try await desk.mails().count == 12)
    for number in 0..<20 { _ = try await desk.claim("a@example.com", by: ClaimDesk.user(7, "origin \(number)")) }
    #expect(try await desk.mails().count == 24)
    _ = try await desk.claim("b@example.com", by: ClaimDesk.user(7, "mallory"))
    #expect(try await desk.mails().count == 25)
    desk.pass(.seconds(3600))
    _ = try await desk.claim("a@example.com", by: ClaimDesk.user(7, "mallory"))
    #expect(try await desk.mails().count == 26)
  }
}
