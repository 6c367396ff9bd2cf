import Synchronization
import TestDoubles
import Testing

@testable import Registration

/// The alarm when many passwords are guessed for an account from a client that its owner has used.
@Suite("Alarm about guessed accounts")
struct GuessAlarmTests {
  private let owner = ClaimDesk.user(7)

  private func guess(_ desk: ClaimDesk, _ count: Int, from start: Int = 0) async {
    for number in start..<start + count {
      _ = await desk.signIn("a@example.com", "guess \(number)", by: owner)
    }
  }

  private func alarms(_ desk: ClaimDesk) async throws -> [AuditEntry] {
    try await desk.store.audit(after: 0, limit: 100).filter { $0.change == .guessed }
  }

  private func owned(_ desk: ClaimDesk) async throws -> Account {
    guard case .proven(let account) = await desk.prove(try await desk.claim("a@example.com", by: owner), by: owner),
      await desk.signIn("a@example.com", by: owner) == .signedIn(account)
    else { throw ClaimDesk.Broken(description: "not signed in") }
    return account
  }

  @Test("the audit records the alarm once, with the client, and after a recovery the owner can sign in")
  func once() async throws {
    let desk = ClaimDesk()
    let account = try await owned(desk)
    await guess(desk, 990)
    #expect(try await alarms(desk).isEmpty)
    await guess(desk, 40, from: 990)
    #expect(try await alarms(desk).map(\.account) == [account.id])
    #expect(try await alarms(desk).first?.by == owner)
    guard case .obstructed(.throttled) = await desk.signIn("a@example.com", by: owner) else {
      Issue.record("the client is trusted")
      return
    }
    #expect(desk.registrar.passwords.isKnown(owner, at: account), "the client stays known for mails")
    guard
      case .proven(let recovered) = await desk.finishRecovery(
        try await desk.startRecovery("a@example.com", by: owner), by: owner)
    else {
      Issue.record("not recovered")
      return
    }
    await guess(desk, 20, from: 2000)
    #expect(await desk.signIn("a@example.com", "another phrase", by: owner) == .signedIn(recovered))
    // the same guesses again within a day: the audit already has the alarm
    await guess(desk, 1100, from: 3000)
    #expect(try await alarms(desk).count == 1)
  }

  @Test("if the store fails, the alarm is recorded at the next attempt")
  func failing() async throws {
    let failures = Mutex(2)
    let desk = ClaimDesk { (operation) async throws(StoreFailure) in
      guard operation == .noteGuessed else { return }
      let isFailing = failures.withLock { left in
        left -= 1
        return left >= 0
      }
      if isFailing { throw .unavailable(detail: "away") }
    }
    _ = try await owned(desk)
    await guess(desk, 1100)
    #expect(try await alarms(desk).count == 1)
  }

  @Test("guesses from unknown clients cause no alarm")
  func strangers() async throws {
    let desk = ClaimDesk()
    _ = try await owned(desk)
    for number in 0..<1500 {
      _ = await desk.signIn("a@example.com", "guess \(number)", by: ClaimDesk.user(8, "\(number)"))
    }
    #expect(try await alarms(desk).isEmpty)
  }

  @Test("clients known at an account's former address are strangers to the next account with that address")
  func leftAddress() async throws {
    let desk = ClaimDesk()
    _ = try await owned(desk)
    let change = await desk.registrar.changeEmail(
      "a@example.com", Fixtures.password("a fine phrase"), to: "b@example.com", language: nil, by: owner)
    guard case .claimed(let claim) = change, case .proven(let moved) = await desk.prove(claim, by: owner) else {
      Issue.record("not changed")
      return
    }
    let next = ClaimDesk.user(9)
    guard case .proven(let account) = await desk.prove(try await desk.claim("a@example.com", by: next), by: next) else {
      Issue.record("not proven")
      return
    }
    #expect(!desk.registrar.passwords.isKnown(owner, at: account))
    #expect(desk.registrar.passwords.isKnown(owner, at: moved))
    for number in 0..<120 {
      _ = await desk.signIn("a@example.com", "tried \(number)", by: ClaimDesk.user(8, "\(number)"))
    }
    for number in 0..<5 {
      guard case .obstructed(.throttled) = await desk.signIn("a@example.com", "guess \(number)", by: owner) else {
        Issue.record("compared")
        return
      }
    }
  }
}
