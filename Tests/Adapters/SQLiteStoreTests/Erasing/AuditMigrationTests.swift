import Linux
import Registration
import StoreConformance
import Synchronization
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

@Suite("SQLite: an audit of an earlier version gives its addresses up", .timeLimit(.minutes(10)))
struct AuditMigrationTests {
  private static let rows = 600

  /// A database of the version before, in which every tenth account was deleted. Tokens as `ErasureRun` has them.
  private func make(_ path: String) throws {
    let old = try Connection(path: path, busyMilliseconds: 0)
    try old.execute("PRAGMA journal_mode = WAL; PRAGMA secure_delete = OFF; BEGIN")
    for migration in Schema.migrations.prefix(5) { try old.execute(migration) }
    for number in 1...Self.rows {
      let account = Fixtures.account("Token\(number + 100_000)@example.com", time: ClaimScene.time(number)).account
      let time = account.createdAt.rfc3339
      let row = [account.id.description, account.email.typed, account.email.key.value, time]
      try old.run("INSERT INTO account VALUES (?1, ?2, ?3, 'hash', 'active', ?4, ?4, ?4)", row)
      for change in ["account.registered", "account.rehashed"] {
        try old.run(
          "INSERT INTO audit (at, change, account_id, email) VALUES (?2, ?3, ?1, ?4)", [row[0], time, change, row[1]])
      }
      guard number % 10 == 0 else { continue }
      let deleted = ClaimScene.time(number + 5000).rfc3339
      try old.run("DELETE FROM account WHERE id = ?1", [row[0]])
      try old.run(
        "INSERT INTO audit (at, change, account_id, email) VALUES (?2, 'account.deleted', ?1, ?3)",
        [row[0], deleted, row[1]])
    }
    try old.execute("PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = 5; COMMIT")
  }

  private static let gone = Set(stride(from: 10, through: rows, by: 10).map { $0 + 100_000 })

  /// What holds of the database afterwards.
  private func check(_ path: String, _ what: String) async throws {
    let store = try SQLiteStore(path: path)
    #expect(try await store.list(after: nil, limit: 10_000).count == Self.rows * 9 / 10, "\(what)")
    let entries = try await store.audit(after: 0, limit: 10_000)
    #expect(entries.count == Self.rows * 2 + Self.rows / 10, "\(what)")
    #expect(entries.allSatisfy { $0.email?.hasPrefix("Token1") ?? false }, "\(what)")
    // an account that was deleted keeps its address for as long as one that is deleted now
    let first = ClaimScene.time(5000 + 10)
    #expect(try await !store.sweep(at: first, addressesBefore: first, limit: 10_000))
    #expect(try await store.audit(after: 0, limit: 10_000).allSatisfy { $0.email != nil }, "\(what)")
    let later = ClaimScene.time(100_000)
    #expect(try await !store.sweep(at: later, addressesBefore: later, limit: 10_000))
    #expect(try await store.audit(after: 0, limit: 10_000).count { $0.email == nil } == 3 * Self.gone.count, "\(what)")
    for ending in ["", "-wal"] {
      #expect(try ErasureRun.tokens(in: path + ending).intersection(Self.gone) == [], "\(what)")
    }
    let connection = try Connection(path: path, busyMilliseconds: 1000)
    #expect(try connection.integer("PRAGMA user_version") == Schema.migrations.count, "\(what)")
    #expect(
      try connection.query("PRAGMA integrity_check") { (row) throws(SQLiteFailure) in row.text(0) } == ["ok"], "\(what)"
    )
  }

  @Test("what takes long is said, and nothing is left in the file of an account that was deleted before")
  func migrated() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      try make(path)
      let said = Mutex<[String]>([])
      await (try SQLiteStore(path: path, doing: { what in said.withLock { $0.append(what) } })).close()
      #expect(said.withLock { $0.first } == "migrating its schema from version 5 to \(Schema.migrations.count)")
      #expect(said.withLock { $0.last?.contains("rewriting it") } == true)
      #expect(said.withLock { $0.count } == 2)
      try await check(path, "whole")
    }
  }

  @Test("a start that is killed at any write or sync of it is done by the next one")
  func killed() async throws {
    var call = 1
    while true {
      nonisolated(unsafe) var isThrough = false
      try await withTemporaryDirectory { directory in
        let (path, killed) = ("\(directory)/regd.db", "\(directory)/killed.db")
        try make(path)
        let calls = FailingCalls(path, copyingTo: killed, at: call)
        let said = Mutex<[String]>([])
        let store = try? SQLiteStore(
          path: path, vfs: FailingDisk.name, doing: { what in said.withLock { $0.append(what) } })
        calls.end()
        await store?.close()
        guard FileSystem.exists(killed) else {
          isThrough = true
          return
        }
        try await check(killed, "killed at call \(call)")
        // where only the rewriting has failed regd serves it all the same, and says so
        if store != nil {
          #expect(said.withLock { $0.last?.contains("could not be rewritten") } == true, "killed at call \(call)")
        }
      }
      guard !isThrough else { break }
      call += max(1, call / 2)
    }
    #expect(call > 100, "it has more calls than that")
  }
}
