import CSQLite
import Linux
import Registration
import StoreConformance
import Synchronization
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

@Suite("SQLite commits that fail", .timeLimit(.minutes(10)))
struct CommitTests {
  @Test("SQLiteStore keeps the store's promises when a commit fails", arguments: StoreConformance.commits)
  func conforms(_ rule: ConformanceRule<FailingStore>) async throws {
    try await withTemporaryDirectory { directory in
      let disk = Disk(directory)
      try await rule.check(try disk.subject())
    }
  }

  @Test("the next process finds a commit that is written but not synced, unless the store has settled it")
  func recovered() async throws {
    try await withTemporaryDirectory { directory in
      let disk = Disk(directory)
      let subject = try disk.subject()
      let account = Fixtures.account()
      subject.fail(.sync, 1)
      await #expect(throws: StoreFailure.self) { try await subject.store.insert(account) }
      // the answer "nothing was changed" would have been false
      #expect(try await subject.killedThen().find(account.account.id) == account)
      #expect(try await subject.store.find(account.account.id) == nil)
      #expect(try await subject.killedNow().find(account.account.id) == nil)
    }
  }

  @Test("the store syncs the writes of a killed process before it returns them")
  func syncedAtOpening() async throws {
    try await withTemporaryDirectory { directory in
      let disk = Disk(directory)
      let subject = try disk.subject()
      let account = Fixtures.account()
      subject.fail(.sync, 1)
      await #expect(throws: StoreFailure.self) { try await subject.store.insert(account) }
      let killed = "\(directory)/killed.db"
      FailingDisk.set("\(killed)-wal") { $0 == .sync ? SQLITE_IOERR | 4 << 8 : nil }
      do throws(StoreFailure) {
        _ = try SQLiteStore(path: killed, vfs: FailingDisk.name)
        Issue.record("opened, and its log is on no disk")
      } catch {
        #expect(error.isUnavailable, "\(error)")
      }
      FailingDisk.set("\(killed)-wal", nil)
      let effects = Mutex<[FailingDisk.Effect]>([])
      FailingDisk.watch("\(killed)-wal") { effect in effects.withLock { $0.append(effect) } }
      let store = try SQLiteStore(path: killed, vfs: FailingDisk.name)
      let first = effects.withLock(\.first)
      guard case .synced = first else {
        Issue.record("\(String(describing: first))")
        return
      }
      #expect(try await store.find(account.account.id) == account)
      await store.close()
    }
  }

  @Test("a commit on a full disk fails as full and keeps none of its changes")
  func full() async throws {
    try await withTemporaryDirectory { directory in
      let disk = Disk(directory)
      let subject = try disk.subject()
      FailingDisk.set("\(disk.path)-wal") { $0 == .write ? SQLITE_FULL : nil }
      let account = Fixtures.account()
      await #expect(throws: StoreFailure.full) { try await subject.store.insert(account) }
      #expect(try await subject.killedNow().find(account.account.id) == nil)
      #expect(try await subject.store.find(account.account.id) == nil)
      subject.heal()
      #expect(try await subject.store.insert(account) == .inserted)
    }
  }

  @Test("the store does not open on a file system without shared memory, and its error gives the reason")
  func withoutSharedMemory() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      FailingDisk.hasNoSharedMemory(path)
      do throws(StoreFailure) {
        _ = try SQLiteStore(path: path, vfs: FailingDisk.name)
        Issue.record("opened")
      } catch {
        guard case .unavailable(let detail) = error else { throw error }
        #expect(detail.contains("no shared memory"))
      }
    }
  }
}

/// A database on a failing disk, and copies of the database.
private struct Disk: Sendable {
  let path: String
  private let directory: String
  private let copies: Copies

  private final class Copies: Sendable {
    let count = Atomic<Int>(0)
    /// The number of faults still to come, or nil for no limit.
    let left = Mutex<Int?>(0)
  }

  init(_ directory: String) {
    self.directory = directory
    path = "\(directory)/regd.db"
    copies = Copies()
  }

  func subject() throws -> FailingStore {
    let told = Told()
    let store = try SQLiteStore(path: path, vfs: FailingDisk.name, observer: { told.note($0) })
    return FailingStore(
      store: store.accounts, observed: { told.entries }, fail: fail, heal: { FailingDisk.set("\(path)-wal", nil) },
      killedThen: { try SQLiteStore(path: "\(directory)/killed.db").accounts },
      killedNow: {
        let number = copies.count.add(1, ordering: .relaxed).newValue
        copy(to: "now-\(number).db")
        return try SQLiteStore(path: "\(directory)/now-\(number).db").accounts
      })
  }

  private func fail(_ fault: FailingStore.Fault, _ times: Int?) {
    copies.left.withLock { $0 = times }
    FailingDisk.set("\(path)-wal") { operation in
      guard operation == (fault == .write ? .write : .sync) else { return nil }
      let mayFail = copies.left.withLock { left in
        guard let some = left else { return true }
        left = max(0, some - 1)
        return some > 0
      }
      guard mayFail else { return nil }
      copy(to: "killed.db")
      return fault == .write ? SQLITE_IOERR | 3 << 8 : SQLITE_IOERR | 4 << 8
    }
  }

  /// Copies the files as a kill would leave them. The first copy under a name is kept.
  private func copy(to name: String) {
    guard !FileSystem.exists("\(directory)/\(name)") else { return }
    for ending in ["", "-wal"] {
      try? FileWriting.write((try? FileReading.bytes(path + ending)) ?? [], to: "\(directory)/\(name)\(ending)")
    }
  }
}
