import TestDoubles
import Testing

@testable import Registration

@Suite("Mails of claims, asked for again")
struct ResendTests {
  private let user = ClaimDesk.user(7)

  @Test("too soon is refused; later the same code is mailed, and behind its life another one")
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
    #expect(await desk.prove(claim, code) == .codeRejected(attemptsLeft: 5), "its life is over")
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

  @Test("another user's is none, and so is one that was proven")
  func gone() async throws {
    let desk = ClaimDesk()
    let claim = try await desk.claim("a@example.com")
    desk.pass(.seconds(60))
    #expect(await desk.registrar.resend(claim.id, by: ClaimDesk.user(8)) == .gone)
    _ = await desk.prove(claim)
    #expect(await desk.registrar.resend(claim.id, by: user) == .gone)
  }

  @Test("an address gets twelve mails an hour, the first of an origin even then, and 24 at most")
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
