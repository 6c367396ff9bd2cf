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
    "one address or two, as their keys say",
    arguments: StoreConformance.addresses(EmailRules(normalizer: UnicodeNormalizer())))
  func addresses(_ rule: StoreConformance.Rule) async throws {
    try await withTemporaryDirectory { directory in try await rule.check(try SQLiteStore(path: "\(directory)/regd.db"))
    }
  }
}
