import AddressNormalization
import Registration
import SQLiteStore
import StoreModels
import TestDoubles
import TestKit
import Testing

@Suite("Random runs against a simple model, in SQLite")
struct ModelTests {
  @Test(
    "the store always agrees with the model, even if it is opened again and again", arguments: [false, true], 1...8)
  func runs(_ hasUpstream: Bool, _ seed: Int) async throws {
    let normalizer = UnicodeNormalizer()
    let rules = RegistrationRules(
      email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer))
    try await withTemporaryDirectory { directory in
      // the previous store is not closed, because a killed process does not close it either
      var run = try await ModelRun(seed: UInt64(seed), rules: rules, hasUpstream: hasUpstream) {
        try SQLiteStore(path: "\(directory)/regd.db").accounts
      }
      try await run.go(steps: 60)
    }
  }

  @Test(
    "the store also agrees with the model if each start is another regd that takes over the previous leases",
    arguments: 1...8)
  func takenOver(_ seed: Int) async throws {
    let normalizer = UnicodeNormalizer()
    let rules = RegistrationRules(
      email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer))
    try await withTemporaryDirectory { directory in
      var starts = 0
      var run = try await ModelRun(seed: UInt64(seed), rules: rules, hasUpstream: true) {
        starts += 1
        return try SQLiteStore(path: "\(directory)/regd.db", claimant: Claimant("regd \(starts)", lease: .zero))
          .accounts
      }
      try await run.go(steps: 60)
    }
  }

  @Test(
    "claims, proofs, mails and deletions have the same results as in memory, even if the store is reopened often",
    arguments: 1...6)
  func claims(_ seed: Int) async throws {
    try await withTemporaryDirectory { directory in
      var run = try await ClaimRun(seed: UInt64(seed)) { try SQLiteStore(path: "\(directory)/regd.db").accounts }
      try await run.go(steps: 100)
    }
  }
}
