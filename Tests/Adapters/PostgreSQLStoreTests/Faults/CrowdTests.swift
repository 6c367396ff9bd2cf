import RegdProcesses
import Registration
import StoreModels
import Synchronization
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

/// How many of the shared sessions the callers of one account, address or request may use.
@Suite(
  "PostgreSQL sessions with many callers",
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
    // the limit of a wait for a lock, so that a failing test ends
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

  /// Lets many callers call `body`, and another user make changes meanwhile.
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

  @Test("changes of one account that wait for a lock leave the other sessions to other callers")
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

  @Test("claims of one address that wait for a lock leave the other sessions to other callers")
  func address() async throws {
    try await withDatabase { database in
      let store = try await opened(settings(database))
      let held = try await connection(database)
      try await PostgreSQL.onItsThread {
        held.connection.begin()
        _ = try held.connection.run([store.sequencer.locks.address(EmailKey("name@example.com"))])
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

  /// Adds one account for each caller.
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

  @Test("changes of many accounts that wait for locks leave a session to other users")
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

  @Test("a change that waits for a session does not block other changes of the same address")
  func behind() async throws {
    try await withDatabase { database in
      let store = try await opened(settings(database))
      let ids = try await accounts(store)
      let held = try await connection(database)
      try await lockAccounts(held)
      let ended = Ended()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for id in ids { group.addTask { await disable(id, store) } }
        // the user has all sessions that one user may have, and its other changes wait for a session
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

  // MARK: Changes in progress

  /// Lets many callers wait for a change that `hold` begins, and others look up and change accounts meanwhile.
  ///
  /// - Parameters:
  /// - question: A part of the SQL by which the callers ask for the end of the change.
  /// - hold: Runs in a transaction that is still open.
  private func checkOthers(
    asking question: String, _ hold: @escaping @Sendable (PostgreSQLStore, Connection) throws -> Void,
    _ body: @escaping @Sendable (PostgreSQLStore, Int) async throws -> Void
  ) async throws {
    try await withDatabase { database in
      let store = try await opened(settings(database))
      let held = try await connection(database)
      try await PostgreSQL.onItsThread {
        held.connection.begin()
        try hold(store, held.connection)
      }
      let ended = Ended()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<crowd {
          group.addTask {
            try await body(store, number)
            ended.count.add(1, ordering: .relaxed)
          }
        }
        let asking = """
          SELECT count(*) > 0 FROM pg_stat_activity WHERE usename = '\(database.role)' AND query LIKE '%\(question)%'
          """
        try await wait(database, until: asking, is: "t")
        for number in 0..<20 {
          let account = Fixtures.account("other\(number)@example.com")
          #expect(try await store.insert(account, request: nil, ClaimCase.stamp(1, uid: 2)) == .inserted)
          #expect(try await store.find(account.account.id) == account)
        }
        #expect(ended.count.load(ordering: .relaxed) == 0, "others waited for the crowd")
        try await PostgreSQL.onItsThread { try held.connection.rollBack() }
        try await group.waitForAll()
      }
      #expect(ended.count.load(ordering: .relaxed) == crowd)
      #expect(store.coordinator.inDoubt.open.isEmpty)
      await store.close()
    }
  }

  /// Begins a change and leaves it in doubt.
  private static let doubting: @Sendable (PostgreSQLStore, Connection) throws -> Void = { store, connection in
    let backend = try #require(try connection.run([store.sequencer.locks.entering()])[0].first?.integer(0))
    store.coordinator.inDoubt.add(InDoubtChange(.anyClaim, backend: backend, turn: nil))
  }

  @Test("lists that wait for a change in doubt leave the sessions to other callers")
  func lists() async throws {
    try await checkOthers(asking: "advisory_lock_shared", Self.doubting) { store, _ in
      _ = try await store.list(after: nil, limit: 9)
    }
  }

  @Test("changes that wait for a change in doubt leave the sessions to other callers")
  func doubted() async throws {
    try await checkOthers(asking: "advisory_lock_shared", Self.doubting) { store, _ in
      _ = try await store.guess(ClaimID(), ClaimCase.wrong, ClaimCase.stamp())
    }
  }

  @Test("callers that wait for the commit of their request leave the sessions to other callers")
  func requests() async throws {
    let request = try #require(RequestKey(uid: 7, id: "r"))
    try await checkOthers(
      asking: "advisory_xact_lock_shared",
      { store, connection in _ = try connection.run([store.sequencer.locks.request(request)]) },
      { store, _ in try await store.awaitCommit(of: request) })
  }

  @Test("a caller that waits for an unknown request does not wait for a change of something else")
  func unrelated() async throws {
    try await withDatabase { database in
      let store = try await opened(settings(database))
      let held = try await connection(database)
      let another = try #require(RequestKey(uid: 7, id: "another"))
      try await PostgreSQL.onItsThread {
        held.connection.begin()
        _ = try held.connection.run([store.sequencer.locks.request(another), store.sequencer.locks.entering()])
      }
      let request = try #require(RequestKey(uid: 7, id: "r"))
      let awaited = await failure { () async throws(StoreFailure) in try await store.awaitCommit(of: request) }
      #expect(awaited == nil, "\(String(describing: awaited))")
      try await PostgreSQL.onItsThread { try held.connection.rollBack() }
      await store.close()
    }
  }
}

/// The number of callers that have their answers.
private final class Ended: Sendable {
  let count = Atomic(0)
}
