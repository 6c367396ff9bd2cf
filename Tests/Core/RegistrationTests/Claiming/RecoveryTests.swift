import TestDoubles
import Testing

@testable import Registration

@Suite("Recovery")
struct RecoveryTests {
  private func owned(
    _ terms: VerificationTerms = VerificationTerms(isRequired: true, hasMail: true)
  ) async throws -> (ClaimDesk, Account) {
    let desk = ClaimDesk(terms)
    guard case .proven(let account) = await desk.prove(try await desk.claim("Owner@example.com")) else {
      throw ClaimDesk.Broken(description: "not proven")
    }
    return (desk, account)
  }

  @Test("recovery is off without mail, and it refuses a string that is not an address")
  func off() async throws {
    let (desk, _) = try await owned()
    let mailless = ClaimDesk(VerificationTerms(hasMail: false))
    #expect(
      await mailless.registrar.startRecovery("a@example.com", language: nil, by: ClaimDesk.user(7))
        == .obstructed(.off(.recovery)))
    guard case .obstructed(.invalid) = await desk.registrar.startRecovery("x", language: nil, by: ClaimDesk.user(7))
    else {
      Issue.record("no address, and no problem")
      return
    }
  }

  @Test("for an address without an account, a recovery has the same answer and operations, but no mail")
  func unknown() async throws {
    let operations = Asked()
    let desk = ClaimDesk { operations.note($0) }
    _ = await desk.prove(try await desk.claim("owner@example.com"))
    let start = operations.all.count
    let known = try await desk.startRecovery("owner@example.com")
    let middle = operations.all.count
    let unknown = try await desk.startRecovery("nobody@example.com")
    #expect(operations.all[start..<middle] == operations.all[middle...])
    #expect(known.expiresAt == unknown.expiresAt)
    #expect(known.resendAt == unknown.resendAt)
    #expect(try await desk.mails() == ["recoveryCode owner@example.com", "registrationCode owner@example.com"])
    for left in (0...4).reversed() { #expect(await desk.finishRecovery(unknown) == .codeRejected(attemptsLeft: left)) }
    #expect(await desk.finishRecovery(unknown) == .gone)
  }

  @Test("a stranger's constant recovery requests do not block the codes for the client that registered the account")
  func asked() async throws {
    let (desk, _) = try await owned()
    for number in 0..<50 { _ = try await desk.startRecovery("owner@example.com", by: ClaimDesk.user(9, "o\(number)")) }
    func codes() async throws -> Int { try await desk.mails().count { $0.hasPrefix("recoveryCode") } }
    let others = try await codes()
    _ = try await desk.startRecovery("owner@example.com", by: ClaimDesk.user(9, "another"))
    #expect(try await codes() == others)
    for number in 1...5 {
      _ = try await desk.startRecovery("owner@example.com")
      #expect(try await codes() == others + min(number, MailBounds.perKnownShare))
    }
  }

  @Test("a sign-in makes its client known at that address, but not at other addresses, and no other client")
  func known() async throws {
    let (desk, account) = try await owned()
    let away = ClaimDesk.user(8, "away")
    #expect(await desk.signIn("owner@example.com", by: away) == .signedIn(account))
    _ = await desk.prove(try await desk.claim("other@example.com"))
    for (email, requester, isKnown) in [
      ("owner@example.com", away, true), ("other@example.com", away, false),
      ("owner@example.com", ClaimDesk.user(8, "elsewhere"), false), ("nobody@example.com", away, false),
    ] {
      let claim = try await desk.startRecovery(email, by: requester)
      let mail = try await desk.store.mails(after: nil, limit: 1000).first { $0.intent.claim == claim.id }
      #expect(mail?.intent.isKnown == isKnown, "\(email)")
    }
  }

  @Test("the mail goes to the address as its owner wrote it, and the answer shows the caller's spelling")
  func spelling() async throws {
    let (desk, _) = try await owned()
    let claim = try await desk.startRecovery("oWNER@example.com")
    #expect(claim.email.typed == "oWNER@example.com")
    desk.pass(.seconds(60))
    _ = await desk.registrar.resend(claim.id, by: ClaimDesk.user(7))
    let mails = try await desk.mails().filter { $0.hasPrefix("recoveryCode") }
    #expect(mails == ["recoveryCode Owner@example.com", "recoveryCode Owner@example.com"])
  }

  @Test("a recovery code sets a new password once, and ends the account's other recoveries")
  func finished() async throws {
    let (desk, account) = try await owned()
    let other = try await desk.startRecovery("owner@example.com", by: ClaimDesk.user(8))
    let claim = try await desk.startRecovery("owner@example.com")
    guard case .obstructed(.invalid, _) = await desk.finishRecovery(claim, to: "short") else {
      Issue.record("a password that breaks rules was set")
      return
    }
    #expect(await desk.finishRecovery(claim, desk.wrong(claim)) == .codeRejected(attemptsLeft: 4))
    #expect(await desk.prove(claim) == .gone, "a recovery is not a registration")
    guard case .proven(let recovered) = await desk.finishRecovery(claim) else {
      Issue.record("the code was refused")
      return
    }
    #expect(recovered.id == account.id)
    #expect(await desk.signIn("owner@example.com") == .refused(.rejected))
    #expect(await desk.signIn("owner@example.com", "another phrase") == .signedIn(recovered))
    #expect(await desk.finishRecovery(other, by: ClaimDesk.user(8)) == .gone)
    #expect(
      await desk.finishRecovery(claim, desk.wrong(claim)) == .codeRejected(attemptsLeft: 3, isVerified: true),
      "the code was used")
    #expect(await desk.finishRecovery(claim) == .proven(recovered), "a repeat gets the same answer")
    #expect(await desk.finishRecovery(claim, to: "a third phrase") == .gone)
    #expect(try await desk.mails().contains("passwordChanged Owner@example.com"))
    #expect(try await desk.store.audit(of: account.id, limit: 9).map(\.change) == [.registered, .passwordRecovered])
  }

  @Test("a recovery ends the waits that wrong passwords have caused")
  func forgiven() async throws {
    let (desk, _) = try await owned()
    for number in 0..<12 { _ = await desk.signIn("owner@example.com", "wrong \(number)", by: ClaimDesk.user(9)) }
    guard case .obstructed(.throttled) = await desk.signIn("owner@example.com", "wrong again", by: ClaimDesk.user(9))
    else {
      Issue.record("no waits to begin with")
      return
    }
    _ = await desk.finishRecovery(try await desk.startRecovery("owner@example.com"))
    guard case .signedIn = await desk.signIn("owner@example.com", "another phrase", by: ClaimDesk.user(9)) else {
      Issue.record("the owner waits behind guesses from before")
      return
    }
  }

  @Test("a disabled account cannot be recovered, even if it is disabled during the recovery")
  func disabled() async throws {
    let (desk, account) = try await owned()
    let claim = try await desk.startRecovery("owner@example.com")
    _ = try await desk.store.setEnabled(account.id, false, Stamp(desk.now))
    #expect(await desk.finishRecovery(claim) == .gone)
    let mails = try await desk.mails().count
    let late = try await desk.startRecovery("owner@example.com")
    #expect(try await desk.mails().count == mails)
    #expect(await desk.finishRecovery(late) == .codeRejected(attemptsLeft: 4))
  }

  @Test("a recovery expires together with its only code")
  func expired() async throws {
    let (desk, _) = try await owned()
    let claim = try await desk.startRecovery("owner@example.com")
    #expect(claim.expiresAt == desk.now.advanced(by: .seconds(900)))
    desk.pass(.seconds(900))
    #expect(await desk.finishRecovery(claim) == .gone)
  }
}
