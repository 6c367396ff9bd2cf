package import Registration
internal import Synchronization
import TestDoubles

/// A store whose rows can be made unreadable from outside, as by an editor or a bad disk.
package struct DamageableStore: Sendable {
  package let store: Accounts
  /// The rows that the store's damage observer received.
  package let told: DamageTold
  /// Makes the row of an account unreadable.
  package let damageAccount: @Sendable (AccountID) async throws -> Void
  /// Makes an entry of the audit unreadable.
  package let damageEntry: @Sendable (Int) async throws -> Void

  package init(
    store: Accounts, told: DamageTold, damageAccount: @escaping @Sendable (AccountID) async throws -> Void,
    damageEntry: @escaping @Sendable (Int) async throws -> Void
  ) {
    self.store = store
    self.told = told
    self.damageAccount = damageAccount
    self.damageEntry = damageEntry
  }
}

/// The rows that a damage observer received.
package final class DamageTold: Sendable {
  private let guarded = Mutex<[DamagedRow]>([])

  package init() {}

  package func note(_ row: DamagedRow) { guarded.withLock { $0.append(row) } }

  package var rows: [DamagedRow] { guarded.withLock { $0 } }
}

extension StoreConformance {
  /// Rules for damaged rows, for every store that keeps rows outside the process.
  package static let damage: [ConformanceRule<DamageableStore>] = [
    .init("lists skip damaged accounts at any position of a page, and continue after them") { subject in
      var accounts: [StoredAccount] = []
      for number in 0..<12 {
        let account = Fixtures.account("n\(number)@example.com", state: .pending)
        _ = try await subject.store.insert(account)
        accounts.append(account)
      }
      accounts.sort { $0.account.id < $1.account.id }
      // the first, the last, and a whole page
      for index in [0, 4, 5, 6, 11] { try await subject.damageAccount(accounts[index].account.id) }
      let readable = [1, 2, 3, 7, 8, 9, 10].map { accounts[$0] }
      for limit in [1, 2, 3, 7, 8, 100] {
        try same(
          try await all(limit) { after in try await subject.store.list(after: after, limit: limit) }, readable,
          "list by \(limit)")
        try same(
          try await all(limit) { after in
            try await subject.store.pending(after: after, limit: limit).map(\.stored)
          }, readable,
          "pending by \(limit)")
      }
      try same(subject.told.rows.count, 5, "the observer's rows")
      for index in [0, 4, 5, 6, 11] {
        let names = subject.told.rows.map(\.name)
        try same(names.contains { $0.contains(accounts[index].account.id.description) }, true, "row \(index)")
      }
    },
    .init("looking up a damaged account fails as unavailable, and notifies the observer once") { subject in
      let account = Fixtures.account()
      _ = try await subject.store.insert(account)
      try await subject.damageAccount(account.account.id)
      for _ in 0..<2 {
        let failure: StoreFailure?
        do throws(StoreFailure) {
          _ = try await subject.store.find(account.account.email.key)
          failure = nil
        } catch {
          failure = error
        }
        guard case .unavailable = failure else { throw Broken(description: "\(String(describing: failure))") }
      }
      try same(subject.told.rows.count, 1, "the observer's rows")
    },
    .init("the audit skips damaged entries and continues after them") { subject in
      for number in 0..<6 { _ = try await subject.store.insert(Fixtures.account("n\(number)@example.com")) }
      for number in [1, 3, 4, 6] { try await subject.damageEntry(number) }
      for limit in [1, 2, 3] {
        var numbers: [Int] = []
        while true {
          let page = try await subject.store.audit(after: numbers.last ?? 0, limit: limit)
          numbers += page.map(\.number)
          if page.count < limit { break }
        }
        try same(numbers, [2, 5], "by \(limit)")
      }
      try same(subject.told.rows.count, 4, "the observer's rows")
    },
    .init("an import continues after a record whose address belongs to a damaged account") { subject in
      let damaged = Fixtures.account("d@example.com")
      _ = try await subject.store.insert(damaged)
      try await subject.damageAccount(damaged.account.id)
      let answers = try await subject.store.importing(
        [Fixtures.account("D@example.com"), Fixtures.account("new@example.com")], Stamp(Fixtures.time))
      try same(answers, [.emailTaken, .imported], "answers")
    },
  ]

  private static func all(
    _ limit: Int, _ page: (AccountID?) async throws -> [StoredAccount]
  ) async throws -> [StoredAccount] {
    var accounts: [StoredAccount] = []
    while true {
      let next = try await page(accounts.last?.account.id)
      accounts += next
      if next.count < limit { return accounts }
    }
  }
}
