import AsyncPrimitives
import CSQLite
import Linux
import Registration
import StoreConformance
import Synchronization
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

@Suite("SQLite: erased data is in no file", .timeLimit(.minutes(10)))
struct ErasureTests {
  @Test(
    "after a sweep no address without an account is left in the database, its log or a backup, and none comes back",
    arguments: 1...3)
  func bytes(_ seed: Int) async throws {
    try await withTemporaryDirectory { directory in
      let (path, backup) = ("\(directory)/regd.db", "\(directory)/backup.db")
      let store = try SQLiteStore(path: path)
      var run = ErasureRun(seed: seed, store.accounts)
      try await run.go(steps: 700)
      #expect(!(try Self.left(path).isDisjoint(with: run.gone)), "before the sweep the audit has them")
      try await run.sweep()
      let gone = run.gone
      #expect(gone.count > 300)
      #expect(try Self.left(path).intersection(gone) == [])
      #expect(try ErasureRun.tokens(in: path).isSuperset(of: run.kept), "what is kept is found by its bytes")
      _ = try SQLiteBackup.copy(path, to: backup)
      #expect(try ErasureRun.tokens(in: backup).intersection(gone) == [])
      #expect(try ErasureRun.tokens(in: backup).isSuperset(of: run.kept))
      // the store writes pages again that were in its memory
      try await run.go(steps: 60)
      #expect(try Self.left(path).intersection(gone) == [])
      try await run.sweep()
      #expect(try Self.left(path).intersection(run.gone) == [])
      await store.close()
      #expect(try Self.left(path).intersection(run.gone) == [])
      #expect(try Self.faults(path) == ["ok"])
    }
  }

  @Test(
    "after the next sweep no file has the hash or the display name of a deleted account, even if it removes no row")
  func deleted() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let store = try SQLiteStore(path: path)
      var account = Fixtures.account(hash: "token000001 as a hash")
      account.account.displayName = DisplayName(stored: "token000002 as a name")
      _ = try await store.insert(account)
      #expect(try Self.left(path) == [1, 2])
      #expect(try await store.delete(account.account.id, ClaimScene.stamp(1)) == .deleted)
      let early = ClaimScene.time(0)
      #expect(try await !store.sweep(at: early, addressesBefore: early, limit: 100))
      #expect(try Self.left(path) == [])
    }
  }

  @Test("once an account is approved, no file contains its registrant after the next sweep")
  func approved() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let store = try SQLiteStore(path: path)
      var account = Fixtures.account(state: .waiting)
      account.registrant = Registrant(uid: 7, origin: Origin("token000001 as an origin"), language: "token000002")
      _ = try await store.insert(account)
      #expect(try Self.left(path) == [1, 2])
      #expect(try await store.approve(account.account.id, to: .active, nil, ClaimScene.stamp(1)) != nil)
      let early = ClaimScene.time(0)
      #expect(try await !store.sweep(at: early, addressesBefore: early, limit: 100))
      #expect(try Self.left(path) == [])
    }
  }

  @Test("another regd that has the database open restores no erased address")
  func another() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let (one, other) = (try SQLiteStore(path: path), try SQLiteStore(path: path))
      var (first, second) = (ErasureRun(seed: 9, one.accounts), ErasureRun(seed: 10, other.accounts, first: 100_000))
      for _ in 0..<4 {
        try await first.go(steps: 60)
        try await second.go(steps: 60)
      }
      try await first.sweep()
      let gone = first.gone.union(second.gone)
      #expect(gone.count > 200)
      #expect(try Self.left(path).intersection(gone) == [])
      // pages that were in the other store's memory
      try await second.go(steps: 30)
      #expect(try Self.left(path).intersection(gone) == [])
    }
  }

  @Test("a sweep of few records begins with the oldest, with their mails and origins, in whatever order SQLite reads")
  func oldest() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let writer = try SQLiteStore.open(path, 0)
      try writer.execute("PRAGMA reverse_unordered_selects = ON")
      let store = try SQLiteStore(writer: writer, reader: SQLiteStore.open(path, 0))
      let claims = (1...4).map { ClaimScene.claim(.registration, "claim\($0)@example.com", seconds: $0) }
      for claim in claims {
        #expect(try await store.add(claim, ClaimScene.mail(claim), ClaimScene.stamp(0)) == .added)
      }
      let accounts = (1...2).map { Fixtures.account("account\($0)@example.com") }
      for (seconds, account) in zip(1..., accounts) {
        let stamp = ClaimScene.stamp(seconds, origin: "origin")
        #expect(try await store.insert(account, request: nil, Admission(), stamp) == .inserted)
        #expect(try await store.delete(account.account.id, stamp) == .deleted)
      }
      // each account has two entries
      let now = ClaimScene.time(9)
      #expect(try await store.sweep(at: now, addressesBefore: now, limit: 2))
      let left = Set(claims[2...].map(\.id))
      let found = try await store.claims(after: nil, limit: 9, at: ClaimScene.time(0))
      #expect(Set(found.map(\.id)) == left)
      let mails = try await store.mails(after: nil, limit: 9)
      #expect(Set(mails.compactMap(\.intent.claim)) == left)
      for (account, isErased) in zip(accounts, [true, false]) {
        let entries = try await store.audit(of: account.account.id, limit: 9)
        #expect(entries.map { $0.email == nil } == [isErased, isErased])
        #expect(entries.map { $0.by?.origin == nil } == [isErased, isErased])
      }
      await store.close()
    }
  }

  @Test("a sweep fails as incomplete while another program reads, and the next sweep erases what the first one removed")
  func hindered() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let store = try SQLiteStore(path: path)
      var run = ErasureRun(seed: 11, store.accounts)
      try await run.go(steps: 60)
      let reader = try Connection(path: path, busyMilliseconds: 0, isReadOnly: true)
      try reader.execute("BEGIN")
      #expect(try reader.integer("SELECT count(*) FROM account") > 0)
      do {
        try await run.sweep()
        Issue.record("swept beside a reader")
      } catch StoreFailure.unavailable(let detail) {
        #expect(detail.contains("still in the write-ahead log"))
      }
      // everything else continues meanwhile
      try await run.go(steps: 5)
      #expect(!(try Self.left(path).isDisjoint(with: run.gone)))
      try reader.execute("ROLLBACK")
      try await run.sweep()
      #expect(try Self.left(path).intersection(run.gone) == [])
    }
  }

  @Test("a list that reads for a long time delays the erasure until its end, and does not make it fail")
  func listed() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let store = try SQLiteStore(path: path)
      let account = Fixtures.account(hash: "token000001 as a hash")
      _ = try await store.insert(account)
      let (lists, begun) = (EndlessLists(), Promise<Void>())
      try await withThrowingTaskGroup(of: Void.self) { group in
        defer { lists.end() }
        for _ in 0..<2 {
          group.addTask {
            while !lists.haveEnded {
              try await store.list { (rows) throws(SQLiteFailure) in
                try rows.connection.asOfOneTime { () throws(SQLiteFailure) -> Void in
                  _ = try rows.connection.integer("SELECT count(*) FROM account")
                  begun.fulfill(())
                  while !lists.haveEnded, store.waitingLists == 0 { ThisThread.sleep(for: .milliseconds(1)) }
                }
              }
            }
          }
        }
        await begun.value()
        #expect(try await store.delete(account.account.id, ClaimScene.stamp(1)) == .deleted)
        await #expect(throws: Never.self) { try await store.erase() }
        #expect(try Self.left(path) == [])
        lists.end()
        try await group.waitForAll()
      }
    }
  }

  @Test("a sweep that is killed at any write or sync loses nothing, and the next sweep erases everything")
  func killed() async throws {
    var call = 1
    while true {
      nonisolated(unsafe) var isThrough = false
      try await withTemporaryDirectory { directory in
        let (path, killed) = ("\(directory)/regd.db", "\(directory)/killed.db")
        let store = try SQLiteStore(path: path, vfs: FailingDisk.name)
        var run = ErasureRun(seed: call, store.accounts)
        try await run.go(steps: 15)
        let calls = FailingCalls(path, copyingTo: killed, at: call)
        do throws(StoreFailure) {
          let time = ClaimScene.time(run.seconds + 86_400)
          _ = try await store.sweep(at: time, addressesBefore: time, limit: 1000)
          isThrough = true
        } catch {
          guard !error.isRefusal else { throw error }
        }
        calls.end()
        guard !isThrough else { return }
        let next = try SQLiteStore(path: killed)
        #expect(try await next.list(after: nil, limit: 10_000).count == run.kept.count, "killed at call \(call)")
        let time = ClaimScene.time(run.seconds + 86_400)
        while try await next.sweep(at: time, addressesBefore: time, limit: 1000) {}
        #expect(try Self.left(killed).intersection(run.gone) == [], "killed at call \(call)")
        #expect(try Self.faults(killed) == ["ok"], "killed at call \(call)")
      }
      guard !isThrough else { break }
      call += max(1, call / 2)
    }
    #expect(call > 4, "a sweep has more calls than that")
  }

  /// The tokens in the files of the database.
  private static func left(_ path: String) throws -> Set<Int> {
    try ["", "-wal", "-shm"].reduce(into: []) { $0.formUnion(try ErasureRun.tokens(in: path + $1)) }
  }

  private static func faults(_ path: String) throws -> [String] {
    try Connection(path: path, busyMilliseconds: 1000).query("PRAGMA integrity_check") {
      (row) throws(SQLiteFailure) in row.text(0)
    }
  }
}

/// Whether the tasks that list go on.
private final class EndlessLists: Sendable {
  private let isOver = Atomic(false)

  var haveEnded: Bool { isOver.load(ordering: .relaxed) }

  func end() { isOver.store(true, ordering: .relaxed) }
}

extension StoreFailure {
  /// Whether a failing disk cannot be the cause of the error.
  fileprivate var isRefusal: Bool { self == .full || self == .readOnly || self == .cancelled }
}
