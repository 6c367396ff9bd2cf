import AsyncPrimitives
import Linux
import Liveness
import Registration
import Synchronization
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

/// How look-ups take turns, and how a long look-up affects others.
@Suite("SQLite: readers", .timeLimit(.minutes(10)))
struct ReaderTests {
  private static let endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

  private func withReader(_ body: (SQLiteReader) async throws -> Void) async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let writer = try SQLiteStore.open(path, 0)
      #expect(try writer.integer("PRAGMA user_version") > 0)
      try await body(try SQLiteReader(try SQLiteStore.another(path, 0, nil), name: "regd-test"))
    }
  }

  @Test("a user with one look-up does not wait for all look-ups of another user")
  func shared() async throws {
    try await withReader { reader in
      let (gate, isHeld) = (try EventCounter(), Promise<Void>())
      let order = Order()
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          try await reader.read { (_) throws(SQLiteFailure) in
            isHeld.fulfill(())
            gate.wait()
          }
        }
        await isHeld.value()
        for place in 2...42 {
          let uid: UInt32 = place == 42 ? 2 : 1
          group.addTask {
            try await Share.$current.withValue(Share(uid: uid)) {
              try await reader.read { (_) throws(SQLiteFailure) in order.note(uid) }
            }
          }
          // the first look-ups wait at the thread, not for their turn
          while reader.waiting < place - SQLiteReader.mostAtThread { await Task.yield() }
        }
        gate.signal()
        try await group.waitForAll()
      }
      let place = order.place(of: 2)
      #expect(try #require(place) <= SQLiteReader.mostAtThread + 1)
    }
  }

  @Test("a long look-up answers the probe, and ends when its caller is cancelled")
  func long() async throws {
    try await withReader { reader in
      try await withThrowingTaskGroup(of: Void.self) { group in
        let begun = Promise<Void>()
        group.addTask {
          await #expect(throws: StoreFailure.cancelled) {
            try await reader.read { (connection) throws(SQLiteFailure) in
              begun.fulfill(())
              _ = try connection.integer(Self.endless)
            }
          }
        }
        await begun.value()
        let answered = Promise<Void>()
        _ = ProbeRound(asking: [reader.probe("the reader")]) { answered.fulfill(()) }
        await answered.value()
        group.cancelAll()
        try await group.waitForAll()
      }
      #expect(try await reader.read { (connection) throws(SQLiteFailure) in try connection.integer("SELECT 3") } == 3)
    }
  }

  @Test("a change whose time ran out in the queue waits half a second for a lock, but not after a failed wait")
  func together() {
    let wait = LockWait(milliseconds: 600_000)
    wait.count(from: .now - .seconds(601))
    var tries: Int32 = 0
    while wait.goesOn(tries) { tries += 1 }
    #expect(tries > 0)
    // it has already waited for the same lock in the queue
    wait.count(from: .now - .seconds(601))
    #expect(!wait.goesOn(0))
    // a change that was requested just now has its whole time
    wait.count(from: .now)
    #expect(wait.goesOn(tries + 100))
    wait.succeeded()
    wait.count(from: .now - .seconds(601))
    #expect(wait.goesOn(0))
  }

  @Test("a change whose time ran out in the queue is made if another program releases its lock soon")
  func queued() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let writer = try SQLiteStore.open(path, 600_000)
      let lockWait = writer.lockWait
      let store = try SQLiteStore(writer: writer, reader: try Connection(path: path, busyMilliseconds: 0))
      // only the writer's thread uses the connection from now on
      nonisolated(unsafe) let other = try Connection(path: path, busyMilliseconds: 0)
      try other.execute("BEGIN IMMEDIATE")
      lockWait.awaited.append { try? other.execute("ROLLBACK") }
      let late = PendingChange(ChangeScope(), begun: .now - .seconds(601)) { (_) throws(SQLiteFailure) in }
      await store.perform(late)
      try late.answer()
      #expect(!other.isInTransaction)
    }
  }

  @Test("the time that a change waits for a lock counts from its request, not from its turn")
  func begun() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let writer = try SQLiteStore.open(path, 600_000)
      let store = try SQLiteStore(writer: writer, reader: try Connection(path: path, busyMilliseconds: 0))
      let other = try Connection(path: path, busyMilliseconds: 0)
      try other.execute("BEGIN IMMEDIATE")
      // requested longer ago than the store waits for a lock
      let late = PendingChange(ChangeScope(), begun: .now - .seconds(601)) { (_) throws(SQLiteFailure) in }
      await store.perform(late)
      #expect(throws: StoreFailure.self) { try late.answer() }
      try other.execute("ROLLBACK")
    }
  }
}

/// The users whose reads have run, in order.
private final class Order: Sendable {
  private let users = Mutex<[UInt32]>([])

  func note(_ user: UInt32) { users.withLock { $0.append(user) } }

  func place(of user: UInt32) -> Int? { users.withLock { $0.firstIndex(of: user) } }
}
