import AddressNormalization
import PasswordHashing
import PostgreSQLStore
import RegdProcesses
import Registration
import StoreModels
import TestDoubles
import TestKit
import Testing

/// If a registration hangs, the time limit cancels its task. The limit decides nothing else.
@Suite(
  "Random runs, in PostgreSQL", .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
struct RandomTests {
  private let rules = RegistrationRules(
    email: EmailRules(normalizer: UnicodeNormalizer()), password: PasswordPolicy(normalizer: UnicodeNormalizer()))

  @Test(
    "the store always agrees with the model, even if it is opened again and again", arguments: [false, true], 1...3)
  func model(_ hasUpstream: Bool, _ seed: Int) async throws {
    try await withDatabase { database in
      // the previous store is not closed, because a killed process does not close it either
      var run = try await ModelRun(seed: UInt64(seed), rules: rules, hasUpstream: hasUpstream) {
        try PostgreSQLStore(PostgreSQLStore.Settings(database)).accounts
      }
      try await run.go(steps: 60)
    }
  }

  @Test(
    "claims, proofs, mails and deletions have the same results as in memory, even if the store is reopened often",
    arguments: 1...6)
  func claims(_ seed: Int) async throws {
    try await withDatabase { database in
      var run = try await ClaimRun(seed: UInt64(seed)) {
        try PostgreSQLStore(PostgreSQLStore.Settings(database)).accounts
      }
      try await run.go(steps: 100)
    }
  }

  @Test("the store gives four concurrent callers of claims the answers that the model predicts", arguments: 1...4)
  func traces(_ seed: Int) async throws {
    try await withStore { store in
      var trace = ClaimTrace(seed: seed, over: store.accounts, rules, SodiumCodeHashing())
      let steps = try await trace.run(rounds: 40)
      #expect(steps > 200)
    }
  }

  @Test(
    "every acknowledged registration is stored once, and a repeat gets the same answer",
    arguments: [false, true], 1...6)
  func parallel(_ hasUpstream: Bool, _ seed: Int) async throws {
    try await withStore { store in
      var run = ParallelRun(seed: seed, rules: rules, hasUpstream: hasUpstream, store: store.accounts)
      try await run.go(groups: 4)
    }
  }
}
