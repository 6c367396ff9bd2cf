import StoreConformance
import TestDoubles
import Testing

@testable import Registration

@Suite("Guessing of codes")
struct CodeGuessingTests {
  private static let owner = ClaimDesk.user(7, "owner")

  /// Tries wrong codes until the claim ends.
  private func useUp(_ desk: ClaimDesk, _ claim: AddressClaim, by user: Requester) async {
    for left in (0..<5).reversed() {
      #expect(await desk.prove(claim, desk.wrong(claim), by: user) == .codeRejected(attemptsLeft: left))
    }
  }

  @Test(
    "after fifty wrong codes for one address, every user's new codes for it have 12 digits, and no user has to wait")
  func address() async throws {
    let desk = ClaimDesk()
    let early = try await desk.claim("a@example.com", by: Self.owner)
    for number in 0..<10 {
      let mallory = ClaimDesk.user(7, "origin \(number)")
      let claim = try await desk.claim("a@example.com", by: mallory)
      #expect(claim.digits == 6)
      await useUp(desk, claim, by: mallory)
    }
    let late = try await desk.claim("a@example.com", by: ClaimDesk.user(8))
    #expect(late.digits == 12)
    #expect(try await desk.startRecovery("a@example.com").digits == 12, "an address that has no account")
    #expect(try await desk.claim("b@example.com").digits == 6, "another address")
    let code = desk.codes.code(of: late)
    #expect(code.utf8.count == 12 && code.allSatisfy(\.isNumber))
    #expect(await desk.prove(late, String(code.prefix(6)), by: ClaimDesk.user(8)) == .codeRejected(attemptsLeft: 5))
    // codes that were mailed before remain valid
    guard case .proven = await desk.prove(early, by: Self.owner) else {
      Issue.record("the owner was kept out")
      return
    }
    #expect(try await desk.startRecovery("a@example.com").digits == 12)
    desk.pass(CodeBounds.span)
    #expect(try await desk.startRecovery("a@example.com").digits == 6)
  }

  @Test("without a mail, a claim's code is always wrong, however many origins ask, until a resend mails a new code")
  func unmailed() async throws {
    let desk = ClaimDesk()
    var compared = 0
    for number in 0..<300 {
      let user = ClaimDesk.user(7, "origin \(number)")
      let claim = try await desk.startRecovery("a@example.com", by: user)
      let stored = try #require(await desk.store.find(claim.id, at: desk.now))
      // if claims are made at the same moment, any of them may be evicted
      desk.pass(.milliseconds(1))
      if stored.isMailed { compared += 5 }
    }
    #expect(compared == 5 * MailBounds.perAddressAtMost)
    let claims = try await (0..<30).asyncMap { try await desk.claim("b@example.com", by: ClaimDesk.user(7, "\($0)")) }
    let claim = claims[29]
    let user = ClaimDesk.user(7, "29")
    #expect(await desk.prove(claim, by: user) == .codeRejected(attemptsLeft: 4), "the correct code of the claim")
    desk.pass(.seconds(60))
    guard case .claimed = await desk.registrar.resend(claim.id, by: user) else {
      Issue.record("it was said that it is not mailed")
      return
    }
    #expect(try await desk.mails().count { $0.hasSuffix("b@example.com") } == MailBounds.perAddressAtMost)
    desk.pass(MailBounds.span)
    guard case .claimed(let renewed) = await desk.registrar.resend(claim.id, by: user) else {
      Issue.record("not mailed again")
      return
    }
    #expect(await desk.prove(claim, by: user) == .codeRejected(attemptsLeft: 3), "the code that was never mailed")
    guard case .proven = await desk.prove(renewed, by: user) else {
      Issue.record("the code that was mailed is refused")
      return
    }
  }

  @Test("after a thousand wrong codes within an hour, all new codes have twelve digits")
  func everywhere() async throws {
    let desk = ClaimDesk()
    for number in 0..<CodeBounds.all / 5 {
      let claim = try await desk.claim("n\(number)@example.com")
      await useUp(desk, claim, by: ClaimDesk.user(7))
    }
    #expect(try await desk.claim("a@example.com").digits == 12)
    desk.pass(CodeBounds.spanOfAll)
    #expect(try await desk.claim("a@example.com").digits == 6)
  }

  @Test("a new code for a claim has the current length, and a repeated code keeps its old length")
  func renewed() async throws {
    let desk = ClaimDesk()
    let claim = try await desk.claim("a@example.com", by: Self.owner)
    for number in 0..<10 {
      let mallory = ClaimDesk.user(8, "origin \(number)")
      await useUp(desk, try await desk.claim("a@example.com", by: mallory), by: mallory)
    }
    var digits: [Int] = []
    for seconds in [60, 900] {
      desk.pass(.seconds(seconds))
      if case .claimed(let claim) = await desk.registrar.resend(claim.id, by: Self.owner) {
        digits.append(claim.digits)
      }
    }
    #expect(digits == [6, 12])
  }

  @Test("a resend time that is too far in the future does not delay the next mail")
  func ahead() async throws {
    let desk = ClaimDesk()
    let living = AddressClaim(
      id: ClaimID(), kind: .registration, email: ClaimScene.email("a@example.com"), account: AccountID(at: desk.now),
      passwordHash: PasswordHash(phc: "hash"), uid: 7, origin: nil, request: nil, language: nil, createdAt: desk.now,
      expiresAt: desk.now.advanced(by: .seconds(9000)), digits: 6, state: .open,
      codeUntil: desk.now.advanced(by: .seconds(900)), resendAt: desk.now.advanced(by: .seconds(31_536_000)))
    _ = try await desk.store.add(living, ClaimScene.mail(living), Stamp(desk.now))
    guard case .claimed(let again) = await desk.registrar.resend(living.id, by: ClaimDesk.user(7)) else {
      Issue.record("it waits for a year")
      return
    }
    #expect(again.resendAt == desk.now.advanced(by: .seconds(60)))
  }

  @Test("an unexpired claim has the status claimed, even if another user got the address")
  func status() async throws {
    for conceals in [false, true] {
      let desk = ClaimDesk(VerificationTerms(isRequired: true, conceals: conceals, hasMail: true))
      let request = try #require(RequestKey(uid: 7, id: "r"))
      _ = try await desk.claim("a@example.com", request: "r")
      guard case .proven = await desk.prove(try await desk.claim("a@example.com", by: Self.owner), by: Self.owner)
      else {
        Issue.record("not proven")
        return
      }
      #expect(try await desk.registrar.status(of: request) == .claimed, "conceal: \(conceals)")
    }
  }
}

extension Sequence {
  /// Transforms the elements one after the other.
  fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await body(element)) }
    return values
  }
}
