import Registration
import Synchronization
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

@Suite("SQLite: changes that share a commit", .timeLimit(.minutes(10)))
struct GroupTests {
  private static func accounts(_ count: Int) -> [StoredAccount] {
    (0..<count).map { Fixtures.account("member\($0)@example.com") }
  }

  @Test("changes that wait during a commit share the next commit")
  func shared() async throws {
    try await withTemporaryDirectory { directory in
      let held = try HeldStore(directory)
      let accounts = Self.accounts(64)
      let commits = try await held.together(
        accounts.map { account in { () async throws in #expect(try await held.store.insert(account) == .inserted) } })
      #expect(commits == 1)
      for account in accounts { #expect(try await held.store.find(account.account.id) == account) }
      #expect(held.told.entries == (try await held.store.audit(after: 0, limit: 100)))
      #expect(held.told.entries.map(\.number) == Array(1...65))
    }
  }

  @Test(
    "a group is limited in its number of changes and in its time",
    arguments: [GroupBounds(changes: 5, span: .seconds(3600)), GroupBounds(span: .zero)])
  func bounded(_ bounds: GroupBounds) async throws {
    try await withTemporaryDirectory { directory in
      let held = try HeldStore(directory, groups: bounds)
      let commits = try await held.together(
        Self.accounts(10).map { account in
          { () async throws in #expect(try await held.store.insert(account) == .inserted) }
        })
      #expect(commits == (bounds.changes == 5 ? 2 : 10))
    }
  }

  @Test("a change sees the earlier changes of the same commit")
  func met() async throws {
    try await withTemporaryDirectory { directory in
      let held = try HeldStore(directory)
      let answers = Mutex<[InsertAnswer]>([])
      let commits = try await held.together(
        (0..<8).map { number in
          {
            let account = Fixtures.account("one@example.com", hash: "\(number)")
            let answer = try await held.store.insert(account)
            answers.withLock { $0.append(answer) }
          }
        })
      #expect(commits == 1)
      #expect(answers.withLock { $0.count { $0 == .inserted } } == 1)
      #expect(try await held.store.list(after: nil, limit: 10).count == 2)
    }
  }

  @Test("a change of an account's groups needs no commit of its own")
  func membership() async throws {
    try await withTemporaryDirectory { directory in
      let held = try HeldStore(directory)
      let account = Fixtures.account("member@example.com")
      let names = ["choir", "staff"].compactMap { GroupName($0) }
      let commits = try await held.together([
        { () async throws in #expect(try await held.store.insert(account) == .inserted) },
        {
          let answer = try await held.store.changeGroups(
            of: account.account.id, adding: names, removing: [], Stamp(Fixtures.time))
          guard case .account(let member) = answer else {
            Issue.record("\(answer)")
            return
          }
          #expect(member.groups.names == names)
        },
      ])
      #expect(commits == 1)
      #expect(held.told.entries.map(\.change) == [.registered, .registered, .grouped])
    }
  }

  @Test("a change that fails is rolled back alone")
  func failing() async throws {
    try await withTemporaryDirectory { directory in
      let held = try HeldStore(directory)
      let accounts = Self.accounts(3)
      let insert = { @Sendable (account: StoredAccount) async throws in
        #expect(try await held.store.insert(account) == .inserted)
      }
      let commits = try await held.together([
        { try await insert(accounts[0]) },
        {
          await #expect(throws: StoreFailure.unavailable(detail: "broken (SQLite code 1)")) {
            try await held.store.change(ChangeScope(), for: .daemon, evenIfLate: false) {
              (rows) throws(SQLiteFailure) in
              _ = try AccountRow.insert(rows.connection, accounts[1])
              throw SQLiteFailure(code: 1, message: "broken")
            }
          }
        },
        { try await insert(accounts[2]) },
      ])
      #expect(commits == 1)
      #expect(try await held.store.find(accounts[1].account.id) == nil)
      #expect(try await held.store.audit(after: 0, limit: 10).map(\.account).count == 3)
      #expect(held.told.entries == (try await held.store.audit(after: 0, limit: 10)))
    }
  }

  @Test("if SQLite rolls back other changes together with a failing one, the store makes them again")
  func rolledBack() async throws {
    try await withTemporaryDirectory { directory in
      let held = try HeldStore(directory)
      let accounts = Self.accounts(2)
      let commits = try await held.together([
        { () async throws in #expect(try await held.store.insert(accounts[0]) == .inserted) },
        {
          await #expect(throws: StoreFailure.full) {
            try await held.store.change(ChangeScope(), for: .daemon, evenIfLate: false) {
              (rows) throws(SQLiteFailure) in
              // as SQLite does if a statement finds no room
              try rows.connection.execute("ROLLBACK")
              throw SQLiteFailure(code: 13, message: "full")
            }
          }
        },
        { () async throws in #expect(try await held.store.insert(accounts[1]) == .inserted) },
      ])
      #expect(commits == 2)
      #expect(try await held.store.list(after: nil, limit: 10).count == 3)
      #expect(held.told.entries == (try await held.store.audit(after: 0, limit: 10)))
    }
  }

  @Test("if a commit fails, all its changes are in doubt, and no answer that depends on them is returned")
  func inDoubt() async throws {
    try await withTemporaryDirectory { directory in
      let held = try HeldStore(directory)
      let account = Fixtures.account("member@example.com")
      let later = Fixtures.account("member@example.com", hash: "another")
      // The changes come in this order, because they are one caller's. The store cannot settle them until syncs succeed.
      let commits = try await held.together([
        {
          held.failSyncs(true)
          let failure = await #expect(throws: StoreFailure.self) { try await held.store.insert(account) }
          #expect(failure?.isUnknown == true)
        },
        {
          // the store does not report an address as taken that was taken only for a moment
          let failure = await #expect(throws: StoreFailure.self) { try await held.store.insert(later) }
          #expect(failure?.isUnknown == true)
        },
      ])
      #expect(commits >= 1)
      held.failSyncs(false)
      #expect(try await held.store.find(account.account.id) == nil)
      #expect(try await held.store.insert(later) == .inserted)
      #expect(held.told.entries == (try await held.store.audit(after: 0, limit: 10)))
    }
  }

  @Test("a large change shares its commit with no other change")
  func alone() async throws {
    try await withTemporaryDirectory { directory in
      let held = try HeldStore(directory)
      let accounts = Self.accounts(20)
      let insert = { @Sendable (account: StoredAccount) async throws in
        #expect(try await held.store.insert(account) == .inserted)
      }
      let commits = try await held.together([
        { try await insert(accounts[0]) },
        { try await insert(accounts[1]) },
        { _ = try await held.store.importing(Array(accounts[2..<19]), Stamp(Fixtures.time)) },
        { try await insert(accounts[19]) },
      ])
      #expect(commits == 3)
    }
  }
}
