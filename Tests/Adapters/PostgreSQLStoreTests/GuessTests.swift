import RegdProcesses
import Registration
import StoreConformance
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "Guesses counted in PostgreSQL", .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
struct GuessTests {
  @Test("two regd processes share one count", arguments: SharedThrottleConformance.rules)
  func conforms(_ rule: SharedThrottleConformance.Rule) async throws {
    try await withDatabase { database in
      let one = try await opened(PostgreSQLStore.Settings(database), as: "one")
      let other = try await opened(PostgreSQLStore.Settings(database), as: "other")
      let stage = SharedThrottleStage(try Self.unlucky(one), try Self.unlucky(other)) { seconds in
        try await PostgreSQL.onItsThread {
          _ = try database.query(
            """
            UPDATE guess SET at = at - interval '\(seconds) seconds', opens_at = opens_at - interval '\(seconds) seconds'
            """)
        }
      }
      try await rule.check(stage)
      await one.close()
      await other.close()
    }
  }

  /// The store's count, but with waits that end at the announced time.
  private static func unlucky(_ store: PostgreSQLStore) throws -> GuessCount {
    let count = try #require(store.sharedThrottle as? GuessCount)
    return GuessCount(count.key, count.sessions) { 300_000 }
  }

  @Test("a wait ends at a random moment before the announced time")
  func lucky() async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      let count = try #require(store.sharedThrottle as? GuessCount)
      let throttle = GuessCount(count.key, count.sessions) { 100_000 }
      for _ in 0..<SharedThrottleRule.most { _ = await throttle.failed(at: 1) }
      guard case .wait(let announced)? = await throttle.admit(at: 1) else {
        Issue.record("no wait")
        return
      }
      #expect((200...300).contains(announced))
      try await PostgreSQL.onItsThread {
        _ = try database.query(
          "UPDATE guess SET at = at - interval '100 seconds', opens_at = opens_at - interval '100 seconds'")
      }
      #expect(await throttle.admit(at: 1) == .counted(failures: SharedThrottleRule.most))
      await store.close()
    }
  }

  @Test("pruning removes faded counts and keeps the others")
  func pruned() async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      let throttle = try #require(store.sharedThrottle as? GuessCount)
      for account in 1...3 as ClosedRange<UInt64> { _ = await throttle.failed(at: account) }
      _ = await throttle.failed(at: 2)
      try await PostgreSQL.onItsThread {
        _ = try database.query("UPDATE guess SET at = at - interval '1000 seconds' WHERE account <= 2")
      }
      await throttle.prune()
      let left = try await PostgreSQL.onItsThread { try database.query("SELECT account FROM guess ORDER BY account") }
      #expect(left.split(separator: "\n") == ["2", "3"])
      await store.close()
    }
  }

  @Test("a query without an answer costs one deadline; queries queued behind it are skipped, and later ones are sent")
  func inLine() async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      let throttle = try #require(store.sharedThrottle as? GuessCount)
      let (gate, opening) = AsyncStream.makeStream(of: Void.self)
      let (holding, held) = AsyncStream.makeStream(of: Void.self)
      let answers = try await withThrowingTaskGroup(of: Int?.self) { group in
        group.addTask {
          try await throttle.sessions.turn(of: .daemon) { _ in
            held.finish()
            for await _ in gate {}
          }
          return nil
        }
        for await _ in holding {}
        for number in 0..<20 as Range<UInt32> {
          group.addTask { await throttle.failed(at: 7, for: Share(uid: number)) }
        }
        while throttle.sessions.waiting < 20 { await Task.yield() }
        try await PostgreSQL.onItsThread { _ = try database.query("ALTER TABLE guess RENAME TO hidden") }
        opening.finish()
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers == Array(repeating: nil, count: 21))
      #expect(throttle.silences.count == 1)
      try await PostgreSQL.onItsThread { _ = try database.query("ALTER TABLE hidden RENAME TO guess") }
      #expect(await throttle.failed(at: 7) == 1)
      await store.close()
    }
  }
}
