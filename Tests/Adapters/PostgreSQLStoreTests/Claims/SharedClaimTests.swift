import RegdProcesses
import Registration
import StoreConformance
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "Claims over several regd processes, in PostgreSQL", .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
struct SharedClaimTests {
  /// Two regd on one database.
  private func withPair(_ body: (_ one: PostgreSQLStore, _ other: PostgreSQLStore) async throws -> Void) async throws {
    try await withDatabase { database in
      let one = try await opened(PostgreSQLStore.Settings(database), as: "one")
      let other = try await opened(PostgreSQLStore.Settings(database), as: "other")
      try await body(one, other)
      await one.close()
      await other.close()
    }
  }

  @Test("if two claims of one address are proven at once, one becomes the account and the other is taken")
  func proofs() async throws {
    try await withPair { one, other in
      #expect(one.codeKey == other.codeKey)
      for number in 0..<8 {
        let claims = (1...2).map { ClaimCase.claim("n\(number)@example.com", uid: $0) }
        for claim in claims { #expect(try await one.add(claim) == .added) }
        async let first = one.prove(claims[0].id, ClaimCase.account(claims[0]), ClaimCase.stamp(1))
        async let second = other.prove(claims[1].id, ClaimCase.account(claims[1]), ClaimCase.stamp(1, uid: 2))
        let answers = try await [first, second]
        let winner = try #require(answers.firstIndex(of: .added))
        #expect(answers[1 - winner] == .taken(ClaimCase.account(claims[winner])))
        let states = [
          try await one.find(claims[winner].id, at: Fixtures.time),
          try await one.find(claims[1 - winner].id, at: Fixtures.time),
        ].map { $0?.state }
        #expect(states == [.proven, .taken])
      }
      #expect(try await one.audit(after: 0, limit: 99).map(\.number) == Array(1...8))
    }
  }

  @Test("a claim that is proven twice at once creates one account")
  func once() async throws {
    try await withPair { one, other in
      for number in 0..<8 {
        let claim = ClaimCase.claim("n\(number)@example.com", request: "r\(number)")
        #expect(try await one.add(claim) == .added)
        let account = ClaimCase.account(claim)
        async let first = one.prove(claim.id, account, ClaimCase.stamp(1))
        async let second = other.prove(claim.id, account, ClaimCase.stamp(1))
        let answers = try await [first, second]
        #expect(answers.filter { $0 == .added }.count == 1, "\(answers)")
        #expect(answers.contains(.taken(account)), "\(answers)")
      }
    }
  }

  @Test("concurrent guesses get no more attempts than sequential ones, and a correct code may come too late")
  func guesses() async throws {
    try await withPair { one, other in
      let claim = ClaimCase.claim("name@example.com")
      #expect(try await one.add(claim) == .added)
      let answers = try await withThrowingTaskGroup(of: GuessAnswer.self) { group in
        for number in 0..<40 {
          let guess = number == 20 ? ClaimCase.right : ClaimCase.wrong
          group.addTask { try await (number % 2 == 0 ? one : other).guess(claim.id, guess, ClaimCase.stamp(1)) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let left = answers.compactMap { answer -> Int? in if case .wrong(let left) = answer { left } else { nil } }
      #expect(left.sorted() == [0, 1, 2, 3, 4])
      let rights = answers.count { answer in if case .right = answer { true } else { false } }
      #expect(rights <= 1)
      #expect(answers.count { $0 == .gone } == 40 - 5 - rights)
      #expect(try await other.find(claim.id, at: Fixtures.time) == nil)
    }
  }

  @Test("wrong codes at an address count over all its claims and over both regd processes")
  func counts() async throws {
    try await withPair { one, other in
      var claims: [AddressClaim] = []
      for number in 0..<20 {
        claims.append(ClaimCase.claim("name@example.com", origin: "o\(number)"))
        #expect(try await one.add(claims[number]) == .added)
      }
      let guess = CodeGuess(isRight: false, generation: 1, attempts: 1)
      let answers = try await withThrowingTaskGroup(of: GuessAnswer.self) { group in
        for (number, claim) in claims.enumerated() {
          group.addTask { try await (number % 2 == 0 ? one : other).guess(claim.id, guess, ClaimCase.stamp(1)) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.count { $0 == .wrong(attemptsLeft: 0) } == 20)
      for store in [one, other] {
        let wrong = try await store.wrongCodes(at: claims[0].email.key, limit: 99, ClaimCase.stamp(2).time)
        #expect(wrong == WrongCodes(atAddress: 20, overAll: 20))
      }
    }
  }

  @Test("a regd with a fast clock removes nothing early, and its wrong codes count from the server's time")
  func clocks() async throws {
    try await withDatabase { database in
      var settings = PostgreSQLStore.Settings(database)
      settings.serverTime = Fixtures.time
      let store = try await opened(settings)
      let claim = ClaimCase.claim("name@example.com", seconds: 3600)
      #expect(try await store.add(claim) == .added)
      let year = Duration.seconds(31_536_000)
      let ahead = Stamp(Fixtures.time.advanced(by: year))
      let wild = ClaimCase.claim("name@example.com", seconds: 40_000_000)
      #expect(try await store.add(wild) == .added)
      _ = try await store.guess(wild.id, ClaimCase.wrong, ahead)
      _ = try await store.sweep(at: ahead.time, addressesBefore: ahead.time, limit: 9)
      #expect(try await store.find(claim.id, at: Fixtures.time) != nil, "it lives by the server's clock")
      let key = claim.email.key
      // this clock is correct again, and so is the server's
      _ = try await store.sweep(at: Fixtures.time, addressesBefore: Fixtures.time, limit: 9)
      let hour = Fixtures.time.advanced(by: .seconds(3600))
      #expect(try await store.wrongCodes(at: key, limit: 9, hour) == WrongCodes(atAddress: 1, overAll: 0))
      let day = Fixtures.time.advanced(by: CodeBounds.span)
      #expect(try await store.wrongCodes(at: key, limit: 9, day) == WrongCodes(atAddress: 0, overAll: 0))
      await store.close()
    }
  }

  @Test("mails counted by a fast clock limit new mails for at most an hour after the clock is right again")
  func mailsOfClockAhead() async throws {
    try await withDatabase { database in
      var settings = PostgreSQLStore.Settings(database)
      settings.serverTime = Fixtures.time
      let store = try await opened(settings)
      try await StoreConformance.expectCountsSetBack(store.accounts)
      await store.close()
    }
  }

  @Test("mails to one address are limited over both regd processes, and each mail is leased by one regd")
  func mails() async throws {
    try await withPair { one, other in
      try await withThrowingTaskGroup { group in
        for number in 0..<30 {
          group.addTask {
            let answer = try await (number % 2 == 0 ? one : other).add(ClaimCase.claim("name@example.com"))
            #expect(answer == .added)
          }
        }
        try await group.waitForAll()
      }
      let waiting = try await one.mails(after: nil, limit: 99)
      #expect(waiting.count == 12)
      let leases = try await withThrowingTaskGroup(of: StoredMail?.self) { group in
        for mail in waiting {
          for store in [one, other] { group.addTask { try await store.lease(mail: mail.intent.id) } }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(leases.count { $0?.isClaimedElsewhere == false } == 12)
      #expect(leases.count { $0?.isClaimedElsewhere == true } == 12)
    }
  }

  @Test("two regd processes that sweep at once remove only expired rows")
  func sweeps() async throws {
    try await withPair { one, other in
      for number in 0..<30 {
        let claim = ClaimCase.claim("n\(number)@example.com", seconds: number % 2 == 0 ? 10 : 86_400)
        #expect(try await one.add(claim) == .added)
        _ = try await one.guess(claim.id, ClaimCase.wrong, ClaimCase.stamp())
      }
      let later = Fixtures.time.advanced(by: .seconds(4000))
      try await withThrowingTaskGroup { group in
        for store in [one, other] {
          group.addTask { while try await store.sweep(at: later, addressesBefore: later, limit: 4) {} }
        }
        try await group.waitForAll()
      }
      #expect(try await other.claims(after: nil, limit: 99, at: Fixtures.time).count == 15)
      // a waiting mail is removed only together with its claim
      #expect(try await other.mails(after: nil, limit: 99).count == 15)
      #expect(try await one.sweep(at: later, addressesBefore: later, limit: 4) == false)
    }
  }
}
