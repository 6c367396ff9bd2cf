import AddressNormalization
import PasswordHashing
import PostgreSQLStore
import RegdProcesses
import Registration
import StoreModels
import TestDoubles
import TestKit
import Testing

/// Should a registration wait for ever, the limit cancels its task; the limit decides nothing else.
@Suite(
  "Random runs, in PostgreSQL", .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
struct RandomTests {
  private let rules = RegistrationRules(
    email: EmailRules(normalizer: UnicodeNormalizer()), password: PasswordPolicy(normalizer: UnicodeNormalizer()))

  @Test("the store always has what the model has, opened again and again", arguments: [false, true], 1...3)
  func model(_ hasUpstream: Bool, _ seed: Int) async throws {
    try await withDatabase { database in
      // the one before is not closed: a process that is killed does not close either
      var run = try await ModelRun(seed: UInt64(seed), rules: rules, hasUpstream: hasUpstream) {
        try PostgreSQLStore(PostgreSQLStore.Settings(database))
      }
      try await run.go(steps: 60)
    }
  }

  @Test("claims, proofs, mails and deletions come to the same as in memory, opened again and again", arguments: 1...6)
  func claims(_ seed: Int) async throws {
    try await withDatabase { database in
      var run = try await ClaimRun(seed: UInt64(seed)) { try PostgreSQLStore(PostgreSQLStore.Settings(database)) }
      try await run.go(steps: 100)
    }
  }

  @Test("what the store answers to four callers of claims at once is what the model says", arguments: 1...4)
  func traces(_ seed: Int) async throws {
    try await withStore { store in
      var trace = ClaimTrace(seed: seed, over: store, rules, SodiumCodeHashing())
      let steps = try await trace.run(rounds: 40)
      #expect(steps > 200)
    }
  }

  @Test("what was acknowledged is there, once, and is answered again", arguments: [false, true], 1...6)
  func parallel(_ hasUpstream: Bool, _ seed: Int) async throws {
    try await withStore { store in
      var run = ParallelRun(seed: seed, rules: rules, hasUpstream: hasUpstream, store: store)
      try await run.go(groups: 4)
    }
  }
}
