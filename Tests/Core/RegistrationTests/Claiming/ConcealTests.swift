import TestDoubles
import Testing

@testable import Registration

@Suite("Concealed addresses")
struct ConcealTests {
  private static let terms = VerificationTerms(isRequired: true, conceals: true, hasMail: true)

  @Test("a claim of a taken address runs the same operations as a claim of a free one, and its owner gets a mail")
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
        "every code is wrong, also the computed one")
    }
    #expect(await desk.prove(stranger, by: ClaimDesk.user(8)) == .gone)
    #expect(try await desk.store.list(after: nil, limit: 9).count == 1)
  }

  /// Starts `count` recoveries of an address with an account, which this user has registered, and of a free address.
  private func recoveries(_ count: Int) async throws -> (desk: ClaimDesk, [(known: AddressClaim, free: AddressClaim)]) {
    let desk = ClaimDesk(Self.terms)
    guard case .proven = await desk.prove(try await desk.claim("known@example.com")) else {
      throw ClaimDesk.Broken(description: "not proven")
    }
    _ = try await desk.claim("free@example.com")
    var pairs: [(known: AddressClaim, free: AddressClaim)] = []
    for _ in 0..<count {
      desk.pass(.seconds(1))  // otherwise chance decides which is the older one
      let known = try await desk.startRecovery("known@example.com")
      pairs.append((known, try await desk.startRecovery("free@example.com")))
    }
    return (desk, pairs)
  }

  @Test("with many unmailed recoveries, an address with an account and a free one return the same results")
  func recoveriesBeyondBounds() async throws {
    let (desk, pairs) = try await recoveries(2 * MailBounds.perAddress + ClaimBounds.unmailedPerAddress)
    #expect(try await desk.mails().count { $0 == "recoveryCode known@example.com" } > MailBounds.perAddress)
    for (number, pair) in pairs.enumerated() {
      let outcomes = [
        await desk.finishRecovery(pair.known, desk.wrong(pair.known)),
        await desk.finishRecovery(pair.free, desk.wrong(pair.free)),
      ]
      #expect(outcomes[0] == outcomes[1], "recovery \(number)")
    }
  }

  @Test("an owner's mailed recovery can be finished after any number of later claims, and looks gone to a wrong code")
  func crowdedRecovery() async throws {
    let desk = ClaimDesk(Self.terms)
    guard case .proven = await desk.prove(try await desk.claim("known@example.com")) else {
      throw ClaimDesk.Broken(description: "not proven")
    }
    for number in 0..<MailBounds.perAddressAtMost {
      _ = try await desk.startRecovery("known@example.com", by: ClaimDesk.user(7, "m\(number)"))
    }
    desk.pass(.seconds(1))
    let recovery = try await desk.startRecovery("known@example.com")
    let guessed = try await desk.startRecovery("known@example.com")
    desk.pass(.seconds(60))
    for number in 0..<2 * ClaimBounds.unmailedPerAddress {
      desk.pass(.milliseconds(1))
      _ = try await desk.startRecovery("known@example.com", by: ClaimDesk.user(7, "o\(number)"))
    }
    for code in ["", "123"] {
      #expect(await desk.finishRecovery(recovery, code) == .gone, "code \(code)")
      #expect(await desk.finishRecovery(recovery, code, to: "x") == .gone, "code \(code), and a short password")
    }
    _ = await desk.registrar.finishRecovery(
      recovery.id, code: "123", password: nil, confirmation: nil, by: ClaimDesk.user(7),
      found: { _ in Issue.record("the language of the reply would be the claim's") })
    #expect(await desk.finishRecovery(guessed, desk.wrong(guessed)) == .gone)
    #expect(await desk.finishRecovery(guessed) == .gone, "the first wrong code has ended it")
    let counts = try await desk.store.wrongCodes(at: recovery.email.key, limit: 9, desk.now)
    #expect(counts == WrongCodes(atAddress: 0, overAll: 0), "they would show in the length of new codes")
    #expect(await desk.registrar.resend(recovery.id, by: ClaimDesk.user(7)) == .gone)
    guard case .obstructed(.invalid, _) = await desk.finishRecovery(recovery, to: "x") else {
      Issue.record("a password that is too short is not reported to the owner")
      return
    }
    guard case .proven = await desk.finishRecovery(recovery) else {
      Issue.record("the owner's recovery was ended by others")
      return
    }
  }

  @Test("after many wrong codes, a resent recovery code has the same length for a free address as for an account")
  func longCodes() async throws {
    let (desk, pairs) = try await recoveries(MailBounds.perAddress + 1)
    for pair in pairs.prefix(10) {
      for _ in 0..<5 {
        _ = await desk.finishRecovery(pair.known, desk.wrong(pair.known))
        _ = await desk.finishRecovery(pair.free, desk.wrong(pair.free))
      }
    }
    desk.pass(.seconds(60))
    for pair in pairs.suffix(3) {
      var digits: [Int] = []
      for claim in [pair.known, pair.free] {
        guard case .claimed(let renewed) = await desk.registrar.resend(claim.id, by: ClaimDesk.user(7)) else {
          throw ClaimDesk.Broken(description: "not mailed again")
        }
        digits.append(renewed.digits)
      }
      #expect(digits[0] == digits[1])
    }
  }

  @Test("after the owner verified another claim, a caller with an earlier claim learns nothing without the code")
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
    #expect(await desk.prove(stranger, by: ClaimDesk.user(8)) == .taken, "only the mailbox's owner has the code")
  }
}
