import RegdProcesses
import Registration
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

/// Two regd on one database. The clocks of the server and of `one` are correct, but the other regd's clock is wrong.
@Suite(
  "A regd with a wrong clock, in PostgreSQL", .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
struct ClockTests {
  private static let hour = 3600

  private func withPair(_ body: (_ one: PostgreSQLStore, _ other: PostgreSQLStore) async throws -> Void) async throws {
    try await withDatabase { database in
      var settings = PostgreSQLStore.Settings(database)
      settings.serverTime = ClaimCase.stamp(60).time
      let one = try await opened(settings, as: "one")
      let other = try await opened(settings, as: "other")
      try await body(one, other)
      await one.close()
      await other.close()
    }
  }

  private func mail(at seconds: Int) -> MailIntent {
    let time = ClaimCase.stamp(seconds).time
    return MailIntent(
      id: MailID(at: time), kind: .registrationTried, to: Fixtures.account().account.email, claim: nil, account: nil,
      language: nil, uid: 1, origin: nil, createdAt: time)
  }

  @Test("a claim that only a fast clock considers expired is kept, and is the answer to its request")
  func request() async throws {
    try await withPair { one, ahead in
      let claim = ClaimCase.claim("name@example.com", request: "r", seconds: 1800)
      #expect(try await one.add(claim) == .added)
      let again = ClaimCase.claim("name@example.com", request: "r", seconds: 7200)
      let late = ClaimCase.stamp(Self.hour)
      guard case .requestKnown(let known) = try await ahead.add(again, ClaimCase.mail(again), late) else {
        Issue.record("the claim was replaced")
        return
      }
      #expect(known.id == claim.id)
      #expect(try await ahead.find(claim.id, at: late.time)?.id == claim.id)
      #expect(try await ahead.claims(after: nil, limit: 9, at: late.time).map(\.id) == [claim.id])
      #expect(try await ahead.guess(claim.id, ClaimCase.wrong, late) == .wrong(attemptsLeft: 4))
      #expect(try await one.prove(claim.id, ClaimCase.account(claim), ClaimCase.stamp(10)) == .added)
    }
  }

  @Test("a claim that is expired by both clocks makes room for another claim of its request")
  func expired() async throws {
    try await withPair { one, ahead in
      let claim = ClaimCase.claim("name@example.com", request: "r", seconds: 30)
      _ = try await one.add(claim)
      let again = ClaimCase.claim("name@example.com", request: "r", seconds: 7200)
      #expect(try await ahead.add(again, ClaimCase.mail(again), ClaimCase.stamp(Self.hour)) == .added)
      #expect(try await one.find(claim.id, at: ClaimCase.stamp(10).time) == nil)
    }
  }

  @Test("a fast clock does not free a use of an invitation that a claim holds")
  func use() async throws {
    try await withPair { one, ahead in
      let invitation = try await one.invite()
      let claim = ClaimCase.claim("held@example.com", origin: "o", seconds: 1800)
      #expect(try await one.add(claim, with: invitation) == .added)
      let answer = try await ahead.register("other@example.com", with: invitation, at: Self.hour)
      #expect(answer == .invitationRejected)
      #expect(try await ahead.counted(invitation, at: Self.hour)?.held == 1)
      let email = Fixtures.account("other@example.com").account.email
      let now = ClaimCase.stamp(Self.hour).time
      #expect(try await ahead.admittance(invitation.digest, email, claiming: nil, at: now).admitted == nil)
      // the share of the holder may still take over the use of its own claim
      #expect(try await ahead.admittance(invitation.digest, email, claiming: claim.share, at: now).admitted != nil)
      #expect(try await one.prove(claim.id, ClaimCase.account(claim), ClaimCase.stamp(10)) == .added)
      #expect(try await one.counted(invitation, at: 10)?.used == 1)
    }
  }

  @Test("a released registration is remembered for as long as the server's clock says")
  func released() async throws {
    try await withPair { one, ahead in
      @Sendable func release(_ name: String, _ store: PostgreSQLStore, _ stamp: Stamp) async throws -> RequestKey {
        let account = Fixtures.account("\(name)@example.com", state: .pending)
        let request = try #require(RequestKey(uid: 1, id: name))
        #expect(try await store.insert(account, request: request, stamp) == .inserted)
        #expect(try await store.release(account.account.id, seen: Fixtures.time, remembered: true, stamp))
        return request
      }
      let late = Stamp(Fixtures.time.advanced(by: ReleasedRegistration.lifetime + .seconds(100)))
      let request = try await release("early", one, ClaimCase.stamp(1))
      _ = try await release("late", ahead, late)
      let key = EmailKey("early@example.com")
      #expect(try await one.released(request, key, at: ClaimCase.stamp(2).time).count == 1)
      #expect(try await ahead.released(request, key, at: late.time).count == 1)
    }
  }
}
