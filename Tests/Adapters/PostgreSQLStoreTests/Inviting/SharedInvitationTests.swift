import RegdProcesses
import Registration
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "Invitations over several regd processes, in PostgreSQL", .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
struct SharedInvitationTests {
  /// Two regd on one database, with sessions for eight changes each.
  private func withPair(_ body: (_ stores: [PostgreSQLStore]) async throws -> Void) async throws {
    try await withDatabase { database in
      var settings = PostgreSQLStore.Settings(database)
      settings.connections = 18
      let stores = [try await opened(settings, as: "one"), try await opened(settings, as: "other")]
      try await body(stores)
      for store in stores { await store.close() }
    }
  }

  /// The answers to sixteen concurrent calls.
  private func atOnce<Answer: Sendable>(
    _ body: @escaping @Sendable (_ caller: Int) async throws -> Answer
  ) async throws -> [Answer] {
    try await withThrowingTaskGroup(of: Answer.self) { group in
      for caller in 0..<16 { group.addTask { try await body(caller) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test("of sixteen callers with one single-use invitation exactly one gets an account, 200 times")
  func once() async throws {
    try await withPair { stores in
      let rounds = 200
      for round in 0..<rounds {
        let invitation = try await stores[0].invite()
        let answers = try await atOnce { caller in
          try await stores[caller % 2].register("r\(round)-n\(caller)@example.com", with: invitation)
        }
        #expect(answers.count { $0 == .inserted } == 1)
        #expect(answers.count { $0 == .invitationRejected } == 15)
        let email = Fixtures.account().account.email
        let time = Fixtures.time
        let answer = try await stores[1].admittance(invitation.digest, email, claiming: nil, at: time)
        #expect(answer == .refused(invitation))
      }
      #expect(try await stores[0].list(after: nil, limit: 999).count == rounds)
      let entries = try await stores[1].audit(after: 0, limit: 999)
      #expect(entries.map(\.number) == Array(1...(2 * rounds)))
      #expect(entries.count { $0.change == .registered } == rounds)
    }
  }

  @Test("of concurrent claims and registrations exactly three get the three uses, and a proof takes no further use")
  func mixed() async throws {
    try await withPair { stores in
      for round in 0..<40 {
        let invitation = try await stores[0].invite(uses: 3)
        let hasUse = try await atOnce { caller in
          let (store, email) = (stores[caller % 2], "r\(round)-n\(caller)@example.com")
          guard caller % 4 < 2 else { return try await store.register(email, with: invitation) == .inserted }
          let claim = ClaimCase.claim(email, uid: UInt32(caller + 1))
          guard try await store.add(claim, with: invitation) == .added else { return false }
          let proven = ClaimCase.account(claim)
          #expect(try await store.prove(claim.id, proven, ClaimCase.stamp(1, uid: claim.uid)) == .added)
          return true
        }
        #expect(hasUse.count { $0 } == 3)
        let counted = try await stores[1].counted(invitation)
        #expect(counted == CountedInvitation(invitation, used: 3, held: 0))
      }
    }
  }

  @Test("a claim that is proven while another takes over its use either creates an account or is gone")
  func takenOver() async throws {
    try await withPair { stores in
      for round in 0..<60 {
        let invitation = try await stores[0].invite()
        let old = ClaimCase.claim("old\(round)@example.com", origin: "o")
        let new = ClaimCase.claim("new\(round)@example.com", origin: "o")
        #expect(try await stores[0].add(old, with: invitation) == .added)
        async let proving = stores[0].prove(old.id, ClaimCase.account(old), ClaimCase.stamp(1, origin: "o"))
        async let claiming = stores[1].add(new, with: invitation, at: 1)
        let (proof, claim) = try await (proving, claiming)
        #expect((proof == .added) != (claim == .added), "\(proof) \(claim)")
        #expect((proof == .gone) == (claim == .added), "\(proof) \(claim)")
        let counted = try await stores[0].counted(invitation, at: 1)
        let (used, held) = proof == .added ? (1, 0) : (0, 1)
        #expect(counted == CountedInvitation(invitation, used: used, held: held))
      }
    }
  }

  @Test("if one regd's clock expires a claim and its use is given away, no other regd can prove the claim")
  func clocks() async throws {
    try await withPair { stores in
      let invitation = try await stores[0].invite()
      let claim = ClaimCase.claim("late@example.com", seconds: 10)
      #expect(try await stores[0].add(claim, with: invitation) == .added)
      #expect(try await stores[0].register("early@example.com", with: invitation, at: 9) == .invitationRejected)
      #expect(try await stores[0].register("new@example.com", with: invitation, at: 10) == .inserted)
      #expect(try await stores[1].prove(claim.id, ClaimCase.account(claim), ClaimCase.stamp(9)) == .gone)
      #expect(try await stores[1].list(after: nil, limit: 9).count == 1)
    }
  }

  @Test("two regd processes that sweep at once remove no use that is taken or held, and free the expired uses")
  func sweeps() async throws {
    try await withPair { stores in
      let invitation = try await stores[0].invite(uses: 40)
      for number in 0..<20 {
        let claim = ClaimCase.claim(
          "n\(number)@example.com", uid: UInt32(number + 1), seconds: number % 2 == 0 ? 10 : 86_400)
        #expect(try await stores[0].add(claim, with: invitation) == .added)
      }
      let later = Fixtures.time.advanced(by: .seconds(100))
      async let registered = atOnce { caller in
        try await stores[caller % 2].register("r\(caller)@example.com", with: invitation, at: 100)
      }
      try await withThrowingTaskGroup { group in
        for store in stores {
          group.addTask { while try await store.sweep(at: later, addressesBefore: Fixtures.time, limit: 3) {} }
        }
        try await group.waitForAll()
      }
      #expect(try await registered.allSatisfy { $0 == .inserted })
      #expect(try await stores[0].sweep(at: later, addressesBefore: Fixtures.time, limit: 3) == false)
      #expect(
        try await stores[1].counted(invitation, at: 100) == CountedInvitation(invitation, used: 16, held: 10))
      let claims = try await stores[1].claims(after: nil, limit: 99, at: later)
      for claim in claims {
        #expect(try await stores[1].prove(claim.id, ClaimCase.account(claim), ClaimCase.stamp(101)) == .added)
      }
      #expect(
        try await stores[1].counted(invitation, at: 101) == CountedInvitation(invitation, used: 26, held: 0))
    }
  }

  @Test("a sweep removes the note of an invitation whose last uses were taken at once")
  func note() async throws {
    try await withPair { stores in
      for round in 0..<8 {
        var invitation = InvitationCase.invitation(uses: 16)
        invitation.note = "the choir"
        let (id, made) = (invitation.id, invitation)
        #expect(try await stores[0].add(made, nil, ClaimCase.stamp()) == .added)
        let answers = try await atOnce { caller in
          try await stores[caller % 2].register("r\(round)-n\(caller)@example.com", with: made)
        }
        #expect(answers.count { $0 == .inserted } == 16)
        let later = ClaimCase.stamp(10).time
        #expect(try await stores[1].sweep(at: later, addressesBefore: later, limit: 9) == false)
        let found = try #require(try await stores[0].find(invitation: id))
        #expect(found.note == nil, "round \(round)")
      }
    }
  }

  @Test("a sweep keeps an invitation's address while its use may be given back, and removes it afterwards")
  func pending() async throws {
    try await withPair { stores in
      let invitation = try await stores[0].invite("name@example.com")
      #expect(try await stores[0].register("name@example.com", .pending, with: invitation) == .inserted)
      let later = Fixtures.time.advanced(by: .seconds(10))
      #expect(try await stores[1].sweep(at: later, addressesBefore: later, limit: 9) == false)
      #expect(try await stores[1].find(invitation: invitation.id) == invitation)
      let id = try #require(try await stores[0].list(after: nil, limit: 1).first?.account.id)
      #expect(try await stores[0].activate(id, ClaimCase.stamp(1)) != nil)
      #expect(try await stores[1].sweep(at: later, addressesBefore: later, limit: 9) == false)
      let found = try #require(try await stores[1].find(invitation: invitation.id))
      #expect(found.email == nil)
      #expect(found.digest == invitation.digest)
    }
  }
}
