import RegdProcesses
import Registration
import StoreModels
import Synchronization
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "Numbers of the audit, in PostgreSQL",
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"), .timeLimit(.minutes(10)))
struct AuditSequencerTests {
  /// Calls `body` with stores, of which the first is behind a proxy, and the entries that each store has reported.
  private func withStores(
    _ count: Int, _ body: (ProxiedDatabase, [PostgreSQLStore], [Told]) async throws -> Void
  ) async throws {
    try await withDatabase { database in
      let proxied = try ProxiedDatabase(database)
      let told = (0..<count).map { _ in Told() }
      var stores: [PostgreSQLStore] = []
      for (number, told) in told.enumerated() {
        var settings = number == 0 ? proxied.settings : PostgreSQLStore.Settings(database)
        settings.connections = 10
        stores.append(try await opened(settings, as: "regd\(number)", observer: { told.note($0) }))
      }
      try await body(proxied, stores, told)
      for store in stores { await store.close() }
    }
  }

  /// A transaction of another program that has an id and remains open.
  private func openForeign(_ database: PostgreSQLDatabase) throws -> Connection {
    let connection = try #require(ServerAddress(database.url)).connect(0, within: patience, answers: patience)
    _ = try connection.run([Statement("BEGIN"), Statement("SELECT pg_current_xact_id()")])
    return connection
  }

  @Test(
    "a reader that pages during concurrent changes, a slow commit and an open foreign transaction sees each entry once"
  )
  func paged() async throws {
    try await withStores(4) { proxied, stores, told in
      let foreign = try await PostgreSQL.onItsThread { [database = proxied.database] in Held(try openForeign(database))
      }
      let (rounds, writers) = (6, 16)
      let left = FaultsLeft(1)
      proxied.proxy.decide { $0.commits && left.take() ? .hold : .forward }
      // A commit that does not number its own entries. Others number theirs while it is in progress.
      try await PostgreSQL.onItsThread { _ = try proxied.database.query("UPDATE numbering SET lag = 1000000") }
      let slow = await failure { () async throws(StoreFailure) in
        _ = try await stores[0].insert(Fixtures.account("slow@example.com"))
      }
      #expect(slow?.isUnknown == true)
      try await PostgreSQL.onItsThread { _ = try proxied.database.query("UPDATE numbering SET lag = 0") }
      let writing = Writing(writers)
      let pages = try await withThrowingTaskGroup(of: [AuditEntry].self) { group in
        for writer in 0..<writers {
          group.addTask {
            for round in 0..<rounds {
              let account = Fixtures.account("w\(writer)-\(round)@example.com")
              #expect(try await stores[1 + writer % 3].insert(account) == .inserted)
              _ = try await stores[1 + (writer + 1) % 3].setEnabled(account.account.id, false, ClaimCase.stamp(1))
              _ = try await stores[1 + (writer + 2) % 3].setEnabled(account.account.id, true, ClaimCase.stamp(2))
              #expect(try await stores[1 + writer % 3].delete(account.account.id, ClaimCase.stamp(3)) == .deleted)
              if round == rounds / 2, writer == 0 { await proxied.proxy.releaseHeld() }
            }
            writing.left.subtract(1, ordering: .sequentiallyConsistent)
            return []
          }
        }
        group.addTask {
          var seen: [AuditEntry] = []
          while true {
            let isLast = writing.left.load(ordering: .sequentiallyConsistent) == 0
            let page = try await stores[1].audit(after: seen.last?.number ?? 0, limit: 7)
            seen += page
            if isLast, page.isEmpty { return seen }
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(pages.count == 4 * rounds * writers + 1)
      #expect(pages.map(\.number) == Array(1...pages.count))
      #expect(pages.count { $0.email == "slow@example.com" } == 1)
      // each change of an account follows the previous one
      #expect(try await AuditReplay.accounts(stores[2].accounts).count == 1)
      for (number, told) in told.enumerated() {
        try await stores[number].check()
        let own = pages.filter { $0.regd == "regd\(number)" }.map(\.number)
        while told.entries.count < own.count { await Task.yield() }
        #expect(told.entries.map(\.number) == own)
      }
      withExtendedLifetime(foreign) {}
    }
  }

  @Test(
    "connections of three regd processes that are cut during commits lose, duplicate and skip no entry",
    arguments: Rounds.seeds(3))
  func cut(_ seed: Int) async throws {
    try await withDatabase { database in
      var stores: [PostgreSQLStore] = []
      var told: [Told] = []
      var proxies: [ProxiedDatabase] = []
      for number in 0..<3 {
        let (proxied, tells) = (try ProxiedDatabase(database), Told())
        proxies.append(proxied)
        var settings = proxied.settings
        settings.connections = 8
        stores.append(try await opened(settings, as: "regd\(number)", observer: { tells.note($0) }))
        told.append(tells)
        let random = Mutex(SeededGenerator(seed: UInt64(10 * seed + number)))
        proxied.proxy.decide { message in
          guard message.commits else { return .forward }
          return random.withLock { random in
            switch Int.random(in: 0..<12, using: &random) {
            case 0: .cutBefore
            case 1: .cutAfter
            case _: .forward
            }
          }
        }
      }
      let load = RegistrationLoad(stores, accounts: 120)
      try await load.run(whenAcknowledged: 1) {}
      let reader = try await opened(PostgreSQLStore.Settings(database), as: "reader")
      try await load.check(reader)
      let entries = try await reader.audit(after: 0, limit: 999)
      for (number, store) in stores.enumerated() {
        try await eventually { () async throws(StoreFailure) in try await store.check() }
        let own = entries.filter { $0.regd == "regd\(number)" }.map(\.number)
        while told[number].entries.count < own.count {
          try await eventually { () async throws(StoreFailure) in try await store.check() }
        }
        #expect(told[number].entries.map(\.number) == own)
        await store.close()
      }
      await reader.close()
      withExtendedLifetime(proxies) {}
    }
  }

  @Test("waiting entries get numbers when they are listed, even if a foreign transaction holds back the mark")
  func behind() async throws {
    try await withStores(2) { proxied, stores, told in
      let foreign = try await PostgreSQL.onItsThread { [database = proxied.database] in
        _ = try database.query("UPDATE numbering SET lag = 1000000")
        return Held(try openForeign(database))
      }
      let accounts = (0..<5).map { Fixtures.account("a\($0)@example.com", state: .pending) }
      for account in accounts {
        #expect(try await stores[1].insert(account, request: nil, ClaimCase.stamp(uid: 9)) == .inserted)
      }
      // the reserver is known before there is a number
      #expect(try await stores[0].find(pending: accounts[4].account.id)?.share.uid == 9)
      #expect(
        try await stores[0].history(of: accounts[2].account.id, after: 0, limit: 9)?.entries.map(\.change) == [
          .reserved
        ])
      #expect(try await stores[0].audit(after: 0, limit: 9).map(\.account) == accounts.map(\.account.id))
      #expect(try await stores[1].release(accounts[0].account.id, seen: Fixtures.time, ClaimCase.stamp(1)))
      let end = Fixtures.time.advanced(by: .seconds(2))
      _ = try await stores[0].sweep(at: end, addressesBefore: end, limit: 9)
      #expect(try await stores[1].audit(of: accounts[0].account.id, limit: 9).map(\.email) == [nil, nil])
      while told[1].entries.count < 6 { try await stores[1].check() }
      #expect(told[1].entries.map(\.number) == [1, 2, 3, 4, 5, 6])
      withExtendedLifetime(foreign) {}
    }
  }

  @Test("entries of another cluster with later transaction ids get numbers, and so do the entries after them")
  func restored() async throws {
    try await withDatabase { database in
      let before = try await opened(PostgreSQLStore.Settings(database))
      #expect(try await before.insert(Fixtures.account("first@example.com")) == .inserted)
      await before.close()
      let id = "0193c1d6-0000-7000-8000-000000000001"
      try await PostgreSQL.onItsThread {
        _ = try database.query(
          """
          INSERT INTO entry_without_number (turn, place, xid, at, change, account_id, email)
            VALUES (nextval('unnumbered_turn'), 1, '99999999999', now(), 'account.rehashed', '\(id)', 'old@example.com');
          UPDATE numbering SET mark = '99999999998', lag = 1000000
          """)
      }
      let store = try await opened(PostgreSQLStore.Settings(database))
      #expect(try await store.insert(Fixtures.account("last@example.com")) == .inserted)
      let entries = try await store.audit(after: 0, limit: 9)
      #expect(entries.map(\.email) == ["first@example.com", "old@example.com", "last@example.com"])
      #expect(entries.map(\.number) == [1, 2, 3])
      await store.close()
    }
  }
}

/// The number of tasks that still write.
private final class Writing: Sendable {
  let left: Atomic<Int>

  init(_ count: Int) { left = Atomic(count) }
}
