import RegdProcesses
import Registration
import Synchronization
import TestKit
import Testing

@testable import PostgreSQLStore

/// What many callers at one thing take of the sessions that all share.
@Suite(
  "PostgreSQL sessions in a crowd",
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"), .timeLimit(.minutes(10)))
struct CrowdTests {
  private let crowd = 12

  private func wait(_ database: PostgreSQLDatabase, until sql: String, is text: String) async throws {
    try await PostgreSQL.onItsThread { while try database.administrator.query(sql) != text {} }
  }

  private func waitingForLocks(_ database: PostgreSQLDatabase) -> String {
    "SELECT count(*) > 0 FROM pg_stat_activity WHERE usename = '\(database.role)' AND wait_event_type = 'Lock'"
  }

  private func settings(_ database: PostgreSQLDatabase) -> PostgreSQLStore.Settings {
    var settings = PostgreSQLStore.Settings(database)
    settings.connections = 10
    // a lock is waited for no longer than this, so that a failing test ends
    settings.answerLimit = .seconds(60)
    return settings
  }

  private func connection(_ database: PostgreSQLDatabase) async throws -> Held {
    try await PostgreSQL.onItsThread {
      Held(
        try Connector(
          address: try #require(ServerAddress(database.url)), durability: .local, connectLimit: patience,
          answerLimit: patience, damage: DamageLog { _ in }
        ).connect())
    }
  }

  /// Has a crowd call `body`, and another user change something meanwhile.
  private func check(
    _ database: PostgreSQLDatabase, _ store: PostgreSQLStore, holding held: Held,
    _ body: @escaping @Sendable (Int) async throws -> Void
  ) async throws {
    let ended = Ended()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<crowd {
        group.addTask {
          try await body(number)
          ended.count.add(1, ordering: .relaxed)
        }
      }
      try await wait(database, until: waitingForLocks(database), is: "t")
      while store.changes.waiting < crowd - 4 { try await letOthersWork() }
      for number in 0..<3 {
        let other = try await store.insert(
          Fixtures.account("other\(number)@example.com"), request: nil, ClaimCase.stamp(1, uid: 2))
        #expect(other == .inserted)
      }
      #expect(ended.count.load(ordering: .relaxed) == 0, "the other user's change waited for the crowd")
      try await PostgreSQL.onItsThread { try held.connection.rollBack() }
      try await group.waitForAll()
    }
  }

  @Test("changes of one account that wait for a lock leave the other sessions to others")
  func account() async throws {
    try await withDatabase { database in
      let store = try await opened(settings(database))
      let account = Fixtures.account()
      #expect(try await store.insert(account) == .inserted)
      let held = try await connection(database)
      try await PostgreSQL.onItsThread {
        held.connection.begin()
        try held.connection.run("SELECT 1 FROM account FOR UPDATE")
      }
      try await check(database, store, holding: held) { _ in
        _ = await failure { () async throws(StoreFailure) in
          _ = try await store.setEnabled(account.account.id, false, ClaimCase.stamp(1))
        }
      }
      await store.close()
    }
  }

  @Test("claims of one address that wait for a lock leave the other sessions to others")
  func address() async throws {
    try await withDatabase { database in
      let store = try await opened(settings(database))
      let held = try await connection(database)
      try await PostgreSQL.onItsThread {
        held.connection.begin()
        _ = try held.connection.run([store.numbering.locks.address(EmailKey("name@example.com"))])
      }
      try await check(database, store, holding: held) { number in
        _ = await failure { () async throws(StoreFailure) in
          _ = try await store.add(ClaimCase.claim("name@example.com", origin: "\(number)"))
        }
      }
      await store.close()
    }
  }

  /// Locks the rows of all accounts.
  private func lockAccounts(_ held: Held) async throws {
    try await PostgreSQL.onItsThread {
      held.connection.begin()
      try held.connection.run("SELECT 1 FROM account FOR UPDATE")
    }
  }

  /// Adds as many accounts as the crowd has members.
  private func accounts(_ store: PostgreSQLStore) async throws -> [AccountID] {
    var ids: [AccountID] = []
    for number in 0..<crowd {
      let account = Fixtures.account("crowd\(number)@example.com")
      #expect(try await store.insert(account) == .inserted)
      ids.append(account.account.id)
    }
    return ids
  }

  private func disable(_ id: AccountID, _ store: PostgreSQLStore) async {
    _ = await failure { () async throws(StoreFailure) in
      _ = try await store.setEnabled(id, false, ClaimCase.stamp(1))
    }
  }

  @Test("changes of many accounts that wait for locks leave a session to others")
  func accounts() async throws {
    try await withDatabase { database in
      let store = try await opened(settings(database))
      let ids = try await accounts(store)
      let held = try await connection(database)
      try await lockAccounts(held)
      try await check(database, store, holding: held) { number in await disable(ids[number], store) }
      await store.close()
    }
  }

  @Test("a change that waits for a session keeps nobody from what it is about")
  func behind() async throws {
    try await withDatabase { database in
      let store = try await opened(settings(database))
      let ids = try await accounts(store)
      let held = try await connection(database)
      try await lockAccounts(held)
      let ended = Ended()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for id in ids { group.addTask { await disable(id, store) } }
        // the user has all sessions that one user may have, and its other changes wait for one
        while store.changes.waiting < crowd - 3 { try await letOthersWork() }
        group.addTask {
          _ = try await store.add(ClaimCase.claim("name@example.com", uid: 1))
          ended.count.add(1, ordering: .relaxed)
        }
        while store.changes.waiting < crowd - 2 { try await letOthersWork() }
        #expect(try await store.add(ClaimCase.claim("name@example.com", uid: 2)) == .added)
        #expect(ended.count.load(ordering: .relaxed) == 0, "the other user's claim waited for the first one's")
        try await PostgreSQL.onItsThread { try held.connection.rollBack() }
        try await group.waitForAll()
      }
      #expect(ended.count.load(ordering: .relaxed) == 1)
      await store.close()
    }
  }

  @Test("callers who wait for the commits that are under way leave the other sessions to others")
  func commits() async throws {
    try await withDatabase { database in
      let store = try await opened(settings(database))
      let held = try await connection(database)
      try await PostgreSQL.onItsThread {
        held.connection.begin()
        _ = try held.connection.run([store.numbering.locks.entering()])
      }
      let ended = Ended()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<crowd {
          group.addTask {
            _ = await failure { () async throws(StoreFailure) in
              try await store.awaitCommits(for: Share(uid: UInt32(number)))
            }
            ended.count.add(1, ordering: .relaxed)
          }
        }
        try await wait(database, until: waitingForLocks(database), is: "t")
        for _ in 0..<20 { try await letOthersWork() }
        #expect(try await store.insert(Fixtures.account("other@example.com")) == .inserted)
        #expect(ended.count.load(ordering: .relaxed) == 0, "the change waited for those who wait for commits")
        try await PostgreSQL.onItsThread { try held.connection.rollBack() }
        try await group.waitForAll()
      }
      await store.close()
    }
  }

  @Test("a wait for the commits that are under way waits for none that began later")
  func later() async throws {
    try await withDatabase { database in
      let store = try await opened(settings(database))
      let changes = [try await connection(database), try await connection(database)]
      let entering = store.numbering.locks.entering()
      let backends = try await PostgreSQL.onItsThread {
        try changes.map { change in
          change.connection.begin()
          return try change.connection.run([entering])[0].first?.text(0) ?? ""
        }
      }
      async let awaited: Void = store.awaitCommits(for: Share(uid: 7))
      let waiting = """
        SELECT objid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objsubid = 2
          AND pid IN (SELECT pid FROM pg_stat_activity WHERE usename = '\(database.role)')
        """
      try await PostgreSQL.onItsThread {
        var first = ""
        while first.isEmpty { first = try database.administrator.query(waiting) }
        let index = try #require(backends.firstIndex(of: first))
        // the other one ends, and the next change of its session begins
        let other = changes[1 - index].connection
        try other.rollBack()
        other.begin()
        _ = try other.run([entering])
        try changes[index].connection.rollBack()
      }
      try await awaited
      withExtendedLifetime(changes) {}
      await store.close()
    }
  }
}

/// How many of a crowd have their answers.
private final class Ended: Sendable {
  let count = Atomic(0)
}
