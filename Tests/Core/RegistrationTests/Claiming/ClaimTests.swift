import TestDoubles
import Testing

@testable import Registration

@Suite("Claims of addresses")
struct ClaimTests {
  @Test("an invalid address and an address with an account cannot be claimed")
  func refused() async throws {
    let desk = ClaimDesk()
    guard case .obstructed(.invalid, _) = await desk.register("no address") else {
      Issue.record("an address that is none was claimed")
      return
    }
    let claim = try await desk.claim("a@example.com")
    _ = await desk.prove(claim)
    #expect(await desk.register("A@example.com", "another phrase") == .taken)
    #expect(try await desk.store.claims(after: nil, limit: 9, at: desk.now).count == 1)
  }

  @Test("an open claim does not allow a sign-in and does not block the address for others")
  func noAccount() async throws {
    let desk = ClaimDesk()
    let first = try await desk.claim("a@example.com", "the first phrase")
    #expect(await desk.signIn("a@example.com", "the first phrase") == .refused(.rejected))
    #expect(await desk.registrar.checkAvailability("a@example.com", for: .daemon) == .available)
    let second = try await desk.claim("a@example.com", "the second phrase", by: ClaimDesk.user(8))
    #expect(first.id != second.id)
    #expect(try await desk.store.list(after: nil, limit: 9).isEmpty)
    #expect(try await desk.mails() == ["registrationCode a@example.com", "registrationCode a@example.com"])
  }

  @Test("the claim that is verified first becomes the account with its own password, and the others return taken")
  func firstWins() async throws {
    let desk = ClaimDesk()
    let stranger = try await desk.claim("a@example.com", "the stranger's phrase")
    let owner = try await desk.claim("a@example.com", "the owner's phrase", by: ClaimDesk.user(8))
    guard case .proven(let account) = await desk.prove(owner, by: ClaimDesk.user(8)) else {
      Issue.record("the owner's code was refused")
      return
    }
    #expect(account.state == .active)
    #expect(await desk.prove(stranger) == .taken)
    #expect(await desk.prove(stranger, "000000") == .taken)
    #expect(await desk.signIn("a@example.com", "the owner's phrase") == .signedIn(account))
    #expect(await desk.signIn("a@example.com", "the stranger's phrase") == .refused(.rejected))
    for text in [desk.wrong(owner), "12345"] {
      let late = await desk.prove(owner, text, by: ClaimDesk.user(8))
      #expect(late == .codeRejected(attemptsLeft: 4, isVerified: true), "the claim is verified")
    }
    #expect(await desk.prove(owner, by: ClaimDesk.user(8)) == .proven(account), "a repeat gets the same answer")
    desk.pass(.seconds(86_400))
    #expect(await desk.prove(owner, by: ClaimDesk.user(8)) == .gone)
  }

  @Test("a code verifies only its own claim, and only for the user who made the claim")
  func ownCode() async throws {
    let desk = ClaimDesk()
    let stranger = try await desk.claim("a@example.com", "the stranger's phrase")
    let owner = try await desk.claim("a@example.com", "the owner's phrase", by: ClaimDesk.user(8))
    let code = desk.codes.code(of: owner)
    #expect(await desk.prove(stranger, code) == .codeRejected(attemptsLeft: 4))
    #expect(await desk.prove(owner, code) == .gone, "another user's claim")
    #expect(try await desk.store.list(after: nil, limit: 9).isEmpty)
  }

  @Test("five wrong codes end a claim, and a malformed code does not use up an attempt")
  func attempts() async throws {
    let desk = ClaimDesk()
    let claim = try await desk.claim("a@example.com")
    for text in ["", "12345", "1234567", "12345x", "１２３４５", String(repeating: "1", count: 900)] {
      #expect(await desk.prove(claim, text) == .codeRejected(attemptsLeft: 5))
    }
    for left in (0...4).reversed() {
      #expect(await desk.prove(claim, desk.wrong(claim)) == .codeRejected(attemptsLeft: left))
    }
    #expect(await desk.prove(claim) == .gone)
    #expect(await desk.registrar.resend(claim.id, by: ClaimDesk.user(7)) == .gone)
  }

  @Test("parallel guesses get no more attempts than sequential ones")
  func parallel() async throws {
    let desk = ClaimDesk()
    let claim = try await desk.claim("a@example.com")
    let wrong = desk.wrong(claim)
    let outcomes = await withTaskGroup(of: ProofOutcome.self) { group in
      for _ in 0..<50 { group.addTask { await desk.prove(claim, wrong) } }
      var outcomes: [ProofOutcome] = []
      for await outcome in group { outcomes.append(outcome) }
      return outcomes
    }
    let rejected = outcomes.filter { if case .codeRejected = $0 { true } else { false } }
    #expect(rejected.count == 5)
    #expect(outcomes.filter { $0 == .gone }.count == 45)
    #expect(await desk.prove(claim) == .gone)
  }

  @Test("spaces and hyphens in a code do not count")
  func grouped() async throws {
    let desk = ClaimDesk()
    let claim = try await desk.claim("a@example.com")
    let code = desk.codes.code(of: claim)
    let outcome = await desk.prove(claim, " \(code.prefix(3))-\(code.dropFirst(3)) \n")
    guard case .proven = outcome else {
      Issue.record("\(outcome)")
      return
    }
  }

  @Test("codes have the configured number of digits, differ between claims, and stay the same for one claim")
  func codes() async throws {
    for digits in 6...10 {
      let desk = ClaimDesk(VerificationTerms(isRequired: true, digits: digits, hasMail: true))
      let claims = [try await desk.claim("a@example.com"), try await desk.claim("a@example.com")]
      let codes = claims.map { desk.codes.code(of: $0) }
      #expect(codes.allSatisfy { $0.utf8.count == digits && $0.allSatisfy(\.isNumber) })
      #expect(codes[0] != codes[1])
      #expect(desk.codes.code(of: claims[0]) == codes[0])
    }
  }

  @Test("a repeated request returns the same claim, and another password or address causes a conflict")
  func request() async throws {
    let desk = ClaimDesk()
    let claim = try await desk.claim("a@example.com", request: "r")
    #expect(await desk.register("a@example.com", request: "r") == .claimed(claim))
    #expect(await desk.register("a@example.com", "another phrase", request: "r") == .conflict)
    #expect(await desk.register("b@example.com", request: "r") == .conflict)
    let request = try #require(RequestKey(uid: 7, id: "r"))
    #expect(try await desk.registrar.status(of: request) == .claimed)
    guard case .proven(let account) = await desk.prove(claim) else {
      Issue.record("not proven")
      return
    }
    #expect(try await desk.registrar.status(of: request) == .active(account))
    desk.pass(.seconds(90_000))
    #expect(await desk.register("a@example.com", request: "r") == .registered(account))
    #expect(try await desk.mails().count == 1)
  }

  @Test("an expired claim is gone, and its request name is free again")
  func expired() async throws {
    let desk = ClaimDesk()
    let claim = try await desk.claim("a@example.com", request: "r")
    desk.pass(.seconds(86_400))
    #expect(await desk.prove(claim) == .gone)
    #expect(await desk.registrar.resend(claim.id, by: ClaimDesk.user(7)) == .gone)
    let request = try #require(RequestKey(uid: 7, id: "r"))
    #expect(try await desk.registrar.status(of: request) == .unknown)
    #expect(try await desk.claim("b@example.com", request: "r").id != claim.id)
  }
}
