import RegdProcesses
import Registration
import StoreModels
import Synchronization
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "PostgreSQL: connections of four regd that are cut in the middle of commits",
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"), .timeLimit(.minutes(10)))
struct CutLedgerTests {
  @Test(
    "cut connections lose, duplicate and skip no change, and no page of the audit omits an entry",
    arguments: Rounds.seeds(2))
  func cut(_ seed: Int) async throws {
    try await withDatabase { database in
      let proxies = try (0..<4).map { _ in try ProxiedDatabase(database) }
      let settings = proxies.map { proxied in
        var settings = proxied.settings
        settings.connections = 8
        return settings
      }
      let run = try await LedgerRun(settings, paging: PostgreSQLStore.Settings(database), accounts: 5, seed: seed)
      for (number, proxied) in proxies.enumerated() { Self.cut(proxied.proxy, 10 * seed + number) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          // a commit is held for the duration of this step
          while !Task.isCancelled {
            try await letOthersWork()
            for proxied in proxies { await proxied.proxy.releaseHeld() }
          }
        }
        try await run.ledger.run(whenAcknowledged: 1) {}
        for proxied in proxies { proxied.proxy.heal() }
        group.cancelAll()
      }
      for proxied in proxies { await proxied.proxy.releaseHeld() }
      try await run.check()
    }
  }

  /// Cuts before some commits and after others, and holds some back.
  private static func cut(_ proxy: PostgreSQLProxy, _ seed: Int) {
    let random = Mutex(SeededGenerator(seed: UInt64(seed)))
    proxy.decide { message in
      guard message.commits else { return .forward }
      return random.withLock { random in
        switch Int.random(in: 0..<24, using: &random) {
        case 0: .cutBefore
        case 1: .cutAfter
        case 2: .hold
        case _: .forward
        }
      }
    }
  }
}

extension Faults {
  @Suite("PostgreSQL: a standby that is promoted under the load of four regd")
  struct PromotedLedgerTests {
    @Test(
      "a promotion loses, duplicates and skips no change, and no page of the audit omits an entry",
      arguments: Rounds.seeds(1))
    func promoted(_ seed: Int) async throws {
      let (primary, standby, database) = try await FailoverTests.pair()
      var settings = PostgreSQLStore.Settings(database)
      settings.url = database.url(port: primary.port).replacing(
        "127.0.0.1:\(primary.port)", with: "127.0.0.1:\(primary.port),127.0.0.1:\(standby.port)")
      settings.connections = 8
      let run = try await LedgerRun(
        Array(repeating: settings, count: 4), paging: settings, accounts: 6, seed: seed)
      var random = SeededGenerator(seed: UInt64(seed))
      try await run.ledger.run(whenAcknowledged: Int.random(in: 1...150, using: &random)) {
        try await PostgreSQL.onItsThread {
          primary.kill()
          try standby.promote()
        }
      }
      try await run.check()
    }
  }
}
