import AddressNormalization
import Registration
import SQLiteStore
import StoreConformance
import TestDoubles
import TestKit
import Testing

@Suite("Addresses in SQLite")
struct AddressTests {
  @Test(
    "SQLite treats two addresses as equal exactly when their keys are equal",
    arguments: StoreConformance.addresses(EmailRules(normalizer: UnicodeNormalizer())))
  func addresses(_ rule: StoreConformance.Rule) async throws {
    try await withTemporaryDirectory { directory in
      try await rule.check(try SQLiteStore(path: "\(directory)/regd.db").accounts)
    }
  }
}
