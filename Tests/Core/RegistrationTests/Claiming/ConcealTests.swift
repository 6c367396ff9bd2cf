import TestKit
import Testing

@testable import Registration

@Suite("Addresses that are concealed")
struct ConcealTests {
  private static let terms = VerificationTerms(isRequired: true, conceals: true, hasMail: true)

  @Test("a taken address is claimed as a free one is, by the same operations, and its owner is told")
  func taken() async throws {
    let operations = Asked()
    let desk = ClaimDesk(Self.terms) { operations.note($0) }
    let owner = try await desk.claim("Owner@example.com")
    let free = operations.all
    _ = await desk.prove(owner)
    let before = operations.all.count
    let stranger = try await desk.claim("owner@example.com", "another phrase", by: ClaimDesk.user(8))
    #expect(Array(operations.all.dropFirst(before)) == free)
    #expect(stranger.email.typed == "owner@example.com")
    #expect(try await desk.mails() == ["registrationCode Owner@example.com", "registrationTried Owner@example.com"])
    for left in (0...4).reversed() {
      #expect(
        await desk.prove(stranger, by: ClaimDesk.user(8)) == .codeRejected(attemptsLeft: left),
        "every code is wrong, the computed one too")
    }
    #expect(await desk.prove(stranger, by: ClaimDesk.user(8)) == .gone)
    #expect(try await desk.store.list(after: nil, limit: 9).count == 1)
  }

  @Test("who has made a claim before its owner proved another one learns nothing without the code")
  func ended() async throws {
    let desk = ClaimDesk(Self.terms)
    let stranger = try await desk.claim("a@example.com", "another phrase", by: ClaimDesk.user(8))
    let owner = try await desk.claim("a@example.com")
    _ = await desk.prove(owner)
    #expect(await desk.prove(stranger, desk.wrong(stranger), by: ClaimDesk.user(8)) == .codeRejected(attemptsLeft: 4))
    desk.pass(.seconds(60))
    let mails = try await desk.mails().count
    guard case .claimed = await desk.registrar.resend(stranger.id, by: ClaimDesk.user(8)) else {
      Issue.record("a resend tells that the address has an account")
      return
    }
    #expect(try await desk.mails().count == mails)
    #expect(await desk.prove(stranger, by: ClaimDesk.user(8)) == .taken, "who has the code has the mailbox")
  }
}
