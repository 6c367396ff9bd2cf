import AsyncPrimitives
import CSQLite
import Linux
import Registration
import Synchronization
import TestDoubles

@testable import SQLiteStore

/// A store whose writer a test can hold after a commit. Changes that are requested meanwhile wait for the next commit.
final class HeldStore: Sendable {
  let store: SQLiteStore
  let told: Told
  private let disk: CountedDisk
  private let gate: WriterGate

  init(_ directory: String, groups: GroupBounds = GroupBounds(changes: 1000, span: .seconds(3600))) throws {
    let path = "\(directory)/regd.db"
    let (told, gate) = (Told(), try WriterGate())
    (self.told, self.gate) = (told, gate)
    let writer = try SQLiteStore.open(path, 60_000, vfs: FailingDisk.name)
    let reader = try Connection(path: path, busyMilliseconds: 60_000)
    store = try SQLiteStore(writer: writer, reader: reader, groups: groups) { entry in
      told.note(entry)
      gate.pass()
    }
    disk = CountedDisk("\(path)-wal")
  }

  /// The number of synced commits.
  var commits: Int { disk.syncs.load(ordering: .relaxed) }

  func failSyncs(_ isFailing: Bool) { disk.isFailing.store(isFailing, ordering: .relaxed) }

  /// Commits an account, requests all changes while the writer is held after that commit, and releases the writer when
  /// all wait.
  ///
  /// - Returns: The number of commits for the changes.
  func together(_ changes: [@Sendable () async throws -> Void]) async throws -> Int {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [store] in _ = try await store.insert(Fixtures.account("holder@example.com")) }
      await gate.reached.value()
      let before = commits
      for (index, change) in changes.enumerated() {
        group.addTask { try await change() }
        while store.waiting <= index { await Task.yield() }
      }
      gate.open()
      try await group.waitForAll()
      return commits - before
    }
  }
}

/// Holds a thread once.
private final class WriterGate: Sendable {
  let reached = Promise<Void>()
  private let counter: EventCounter
  private let isFirst = Atomic(true)

  init() throws { counter = try EventCounter() }

  func pass() {
    guard isFirst.exchange(false, ordering: .relaxed) else { return }
    reached.fulfill(())
    counter.wait()
  }

  func open() { counter.signal() }
}

/// Counts the syncs of a file, which fail if a test sets `isFailing`.
private final class CountedDisk: Sendable {
  let syncs = Atomic(0)
  let isFailing = Atomic(false)

  init(_ path: String) {
    FailingDisk.set(path) { [self] operation in
      guard operation == .sync else { return nil }
      syncs.add(1, ordering: .relaxed)
      return isFailing.load(ordering: .relaxed) ? SQLITE_IOERR | 4 << 8 : nil
    }
  }
}
