import RegdProcesses
import Registration
import StoreModels
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "PostgreSQL servers that do not answer",
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"), .timeLimit(.minutes(10)))
struct BlackHoleTests {
  @Test("calls fail temporarily at the deadline while the server is silent, and succeed when it answers again")
  func swallowed() async throws {
    try await withDatabase { database in
      let proxied = try ProxiedDatabase(database)
      var settings = proxied.settings
      (settings.answerLimit, settings.connectLimit) = (.seconds(2), .seconds(2))
      let store = try await eventually { [settings] () async throws(StoreFailure) in
        try await openedAsStore(settings)
      }
      let first = Fixtures.account("first@example.com")
      try await eventually { () async throws(StoreFailure) in _ = try await store.insert(first) }
      await proxied.proxy.swallow()
      let second = Fixtures.account("second@example.com")
      // without a deadline none of these would end
      let outcomes = [
        await failure { () async throws(StoreFailure) in _ = try await store.insert(second) },
        await failure { () async throws(StoreFailure) in _ = try await store.find(first.account.id) },
        await failure { () async throws(StoreFailure) in _ = try await store.list(after: nil, limit: 9) },
        await failure { () async throws(StoreFailure) in try await store.check() },
      ]
      for outcome in outcomes { #expect(outcome?.isTemporary == true, "\(String(describing: outcome))") }
      await proxied.proxy.pass()
      let answer = try await eventually { () async throws(StoreFailure) in try await store.insert(second) }
      #expect(answer == .inserted || answer == .taken(second))
      let found = try await eventually { () async throws(StoreFailure) in
        try await store.find(first.account.id)
      }
      #expect(found == first)
      await store.close()
    }
  }

  @Test("a commit without an answer is settled when the server answers again, and is not made twice")
  func vanished() async throws {
    try await withDatabase { database in
      let proxied = try ProxiedDatabase(database)
      var settings = proxied.settings
      (settings.answerLimit, settings.connectLimit) = (.seconds(2), .seconds(2))
      let told = Told()
      let store = try await eventually { [settings] () async throws(StoreFailure) in
        try await openedAsStore(settings, observer: { told.note($0) })
      }
      let left = FaultsLeft(nil)
      proxied.proxy.decide { $0.commits && left.take() ? .swallow : .forward }
      let account = Fixtures.account()
      let outcome = await failure { () async throws(StoreFailure) in _ = try await store.insert(account) }
      #expect(outcome?.isTemporary == true, "\(String(describing: outcome))")
      proxied.proxy.heal()
      let found = try await eventually { () async throws(StoreFailure) in
        try await store.insert(account)
      }
      #expect(found == .inserted || found == .taken(account))
      #expect(told.entries.count == 1)
      #expect(try await proxied.another().audit(after: 0, limit: 9).count == 1)
      await store.close()
    }
  }
}
