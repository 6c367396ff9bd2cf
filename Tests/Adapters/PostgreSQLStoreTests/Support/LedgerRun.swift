import Registration
import StoreModels
import TestDoubles
import Testing

@testable import PostgreSQLStore

/// Several regd processes, as stores in this process, with callers at all of them and the changes that each regd has
/// reported.
struct LedgerRun: Sendable {
  let ledger: ChangeLedger
  private let stores: [PostgreSQLStore]
  private let reader: PostgreSQLStore
  private let told: [Told]
  private let heads = SeenHeads()

  /// - Parameter paging: The settings of the store through which the audit is paged meanwhile.
  init(
    _ settings: [PostgreSQLStore.Settings], paging: PostgreSQLStore.Settings, accounts: Int, seed: Int
  ) async throws {
    var stores: [PostgreSQLStore] = []
    told = settings.map { _ in Told() }
    for (number, (settings, told)) in zip(settings, told).enumerated() {
      stores.append(try await opened(settings, as: "regd\(number)", observer: { told.note($0) }))
    }
    self.stores = stores
    reader = try await opened(paging, as: "reader")
    ledger = ChangeLedger(
      at: stores.map(\.accounts), callers: 4 * stores.count, accounts: accounts, seed: seed, reader: reader.accounts,
      heads: heads)
  }

  /// Checks the data through each regd, and closes all stores.
  func check() async throws {
    var isWhole = true
    for store in stores + [reader] {
      let problems = try await ledger.problems(at: store.accounts) + heads.problems(at: store.accounts)
      isWhole = isWhole && problems.isEmpty
      #expect(problems.isEmpty, "\(problems.count), at first: \(problems.prefix(5).joined(separator: "\n"))")
    }
    let entries = try await eventually { () async throws(StoreFailure) in
      try await reader.audit(after: 0, limit: 100_000)
    }
    for (number, store) in stores.enumerated() {
      let own = entries.filter { $0.regd == "regd\(number)" }.map(\.number)
      // checking the store settles a change in doubt, and the store reports the change soon afterwards
      repeat {
        try await eventually { () async throws(StoreFailure) in try await store.check() }
        // a lost change is never reported
      } while isWhole && store.sequencer.publisher.isOwing
      #expect(told[number].entries.map(\.number) == own)
      await store.close()
    }
    await reader.close()
  }
}
