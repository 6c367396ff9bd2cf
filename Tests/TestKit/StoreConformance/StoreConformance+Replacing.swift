package import Registration
import TestDoubles

/// A store in a file that can be replaced while the store is open.
package struct ReplaceableStore: Sendable {
  package enum Harm: Sendable, CaseIterable {
    /// Another file has the database's name.
    case replaced
    /// The file was removed.
    case removed
    /// The database's companion files were removed.
    case companionRemoved
    /// The directory has another name.
    case directoryMoved
  }

  package let store: Accounts
  package let harm: @Sendable (Harm) throws -> Void
  /// Undoes the harm.
  package let undo: @Sendable (Harm) throws -> Void

  package init(
    store: Accounts, harm: @escaping @Sendable (Harm) throws -> Void,
    undo: @escaping @Sendable (Harm) throws -> Void
  ) {
    self.store = store
    self.harm = harm
    self.undo = undo
  }
}

extension StoreConformance {
  /// Rules for a database that is replaced, removed or moved while it is open, for every store that keeps a file.
  package static let replacing: [ConformanceRule<ReplaceableStore>] = ReplaceableStore.Harm.allCases.map { harm in
    .init("after the harm \(harm), changes fail with advice and accounts are still found, until it is undone") {
      subject in
      let account = Fixtures.account()
      _ = try await subject.store.insert(account)
      try await subject.store.check()
      try subject.harm(harm)
      let fresh = Fixtures.account("fresh@example.com")
      try await refused("insert") { () async throws(StoreFailure) in _ = try await subject.store.insert(fresh) }
      try await refused("delete") { () async throws(StoreFailure) in
        _ = try await subject.store.delete(account.account.id, stamp)
      }
      try await refused("check") { () async throws(StoreFailure) in try await subject.store.check() }
      try same(try await subject.store.find(account.account.id), account, "the existing account")
      try same(try await subject.store.find(fresh.account.id), nil, "the refused account")
      try subject.undo(harm)
      try await subject.store.check()
      try same(try await subject.store.insert(fresh), .inserted, "after the harm is undone")
      try same(try await subject.store.audit(after: 0, limit: 9).count, 2, "entries of the audit")
    }
  }

  private static func refused(_ what: String, _ body: () async throws(StoreFailure) -> Void) async throws {
    var failure: StoreFailure?
    do throws(StoreFailure) { try await body() } catch { failure = error }
    guard case .unavailable(let detail) = failure else {
      throw Broken(description: "\(what) ended with \(String(describing: failure))")
    }
    let advice = detail.contains("is missing") ? "regctl export" : "restart regd"
    try same(detail.contains(advice), true, "whether the failure has advice: \(detail)")
  }
}
