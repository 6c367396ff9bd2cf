import Linux
import Registration
import StoreConformance
import Synchronization
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

@Suite("SQLite: a migration moves the addresses out of the audit", .timeLimit(.minutes(10)))
struct AuditMigrationTests {
  private static let rows = 600

  /// A database of the previous version in which every tenth account was deleted. Its tokens are those of `ErasureRun`.
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

  /// Checks the database after the migration.
  private func check(_ path: String, _ what: String) async throws {
    let store = try SQLiteStore(path: path)
    #expect(try await store.list(after: nil, limit: 10_000).count == Self.rows * 9 / 10, "\(what)")
    let entries = try await store.audit(after: 0, limit: 10_000)
    #expect(entries.count == Self.rows * 2 + Self.rows / 10, "\(what)")
    #expect(entries.allSatisfy { $0.email?.hasPrefix("Token1") ?? false }, "\(what)")
    // a previously deleted account keeps its address for as long as an account that is deleted now
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

  @Test("the store announces the long steps, and the file contains nothing of accounts that were deleted before")
  func migrated() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      try make(path)
      let said = Mutex<[String]>([])
      await (try SQLiteStore(path: path, doing: { what in said.withLock { $0.append(what) } })).close()
      #expect(said.withLock { $0.first } == "migrating its schema from version 5 to \(Schema.migrations.count)")
      #expect(said.withLock { $0.last?.contains("rewriting it") } == true)
      #expect(said.withLock { $0.dropFirst().first?.hasPrefix("adding the entries of its audit to a tree (") } == true)
      #expect(said.withLock { $0.count } == 3)
      try await check(path, "whole")
    }
  }

  @Test("if a start is killed at any write or sync, the next start completes the migration")
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
        // if only the rewriting failed, the store opens all the same and reports the failure
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
