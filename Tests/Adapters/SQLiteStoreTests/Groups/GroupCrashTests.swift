import Linux
import Registration
import StoreConformance
import StoreModels
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

/// The disk fails at the n-th write or sync, for n = 1, 2, 3 and so on, while callers share commits.
@Suite("SQLite: a kill and a power cut in the middle of a group", .timeLimit(.minutes(10)))
struct GroupCrashTests {
  @Test(
    "after a kill or power cut every acknowledged change is there, and no change is there in part",
    arguments: 0..<4, Rounds.seeds(1))
  func killed(_ part: Int, _ seed: Int) async throws {
    var (call, isDead) = (part + 1, true)
    while isDead {
      let at = call
      try await withTemporaryDirectory { isDead = try await CrashedGroup($0, seed: seed).fails(at: at) }
      call += 4
    }
    #expect(call > 60)
  }
}

/// Callers that each take one account through its states, each change after the acknowledgement of the previous one.
private struct CrashedGroup {
  /// A caller's knowledge: the acknowledged changes, and whether the next change may have been made.
  private struct Known {
    let account: StoredAccount
    var acknowledged = 0
    var isUnknown = false
  }

  private let path: String
  private let killed: String
  private let cut: String
  private let later: String
  private let seed: Int

  init(_ directory: String, seed: Int) {
    self.seed = seed
    path = "\(directory)/regd.db"
    killed = "\(directory)/killed.db"
    cut = "\(directory)/cut.db"
    later = "\(directory)/later.db"
  }

  /// - Returns: Whether the disk failed before everything was done.
  func fails(at call: Int) async throws -> Bool {
    let told = Told()
    let unsynced = UnsyncedWrites(path)
    let store = try SQLiteStore(path: path, vfs: FailingDisk.name, observer: { told.note($0) })
    let calls = FailingCalls(path, copyingTo: killed, at: call) { [cut, seed] in
      try? unsynced.cut(to: cut, seed: 1000 * seed + call)
    }
    let known = await withTaskGroup { group in
      for number in 0..<(8 + 4 * seed % 25) { group.addTask { await Self.change(store, number) } }
      return await group.reduce(into: [Known]()) { $0.append($1) }
    }
    calls.end()
    unsynced.end()
    try await check(store, known, isKilled: false)
    #expect(told.entries == (try await store.audit(after: 0, limit: 1000)))
    // After a kill, the store agrees with the answers. No change that was settled as undone reappears.
    for ending in ["", "-wal"] { try FileWriting.write(try FileReading.bytes(path + ending), to: later + ending) }
    #expect(try await SQLiteStore(path: later).audit(after: 0, limit: 1000) == told.entries)
    guard FileSystem.exists(killed) else { return false }
    try await check(try SQLiteStore(path: killed), known, isKilled: true)
    try await check(try SQLiteStore(path: cut), known, isKilled: true)
    return true
  }

  private static func change(_ store: SQLiteStore, _ number: Int) async -> Known {
    var known = Known(account: Fixtures.account("member\(number)@example.com", state: .pending))
    let id = known.account.account.id
    let by = Stamp(Fixtures.time, by: Requester(uid: UInt32(number % 3), pid: 1))
    do throws(StoreFailure) {
      _ = try await store.insert(known.account, request: nil, by)
      known.acknowledged = 1
      _ = try await store.activate(id, by)
      known.acknowledged = 2
      _ = try await store.setEnabled(id, false, by)
      known.acknowledged = 3
      _ = try await store.delete(id, having: nil, by)
      known.acknowledged = 4
    } catch {
      if case .unknown = error { known.isUnknown = true }
    }
    return known
  }

  private static let states: [Account.State?] = [nil, .pending, .active, .disabled, nil]

  /// - Parameter isKilled: Whether the process was killed before it could settle doubtful changes.
  private func check(_ store: SQLiteStore, _ known: [Known], isKilled: Bool) async throws {
    let there = Dictionary(
      uniqueKeysWithValues: try await store.list(after: nil, limit: 100).map { ($0.account.id, $0.account.state) })
    #expect(try await AuditReplay.accounts(store.accounts).mapValues(\.state) == there)
    try await StoreConformance.checkTree(store.accounts)
    for one in known {
      let state = there[one.account.account.id]
      let mayBeFurther = one.acknowledged < 4 && (isKilled || one.isUnknown)
      let possible = Self.states[one.acknowledged...].prefix(mayBeFurther ? 2 : 1)
      #expect(possible.contains(state), "\(one.account.account.email.typed) after \(one.acknowledged)")
    }
  }
}
