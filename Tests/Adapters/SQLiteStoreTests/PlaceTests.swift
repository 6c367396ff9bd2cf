import Glibc
import Linux
import Registration
import TestKit
import Testing

@testable import SQLiteStore

@Suite("SQLite's file is the one at its path", .timeLimit(.minutes(5)))
struct PlaceTests {
  @Test("keeps the store's promises when its file is taken away", arguments: StoreConformance.replacing)
  func conforms(_ rule: ConformanceRule<ReplaceableStore>) async throws {
    try await withTemporaryDirectory { directory in
      let (inner, away) = ("\(directory)/d", "\(directory)/away")
      try #require(mkdir(inner, 0o700) == 0)
      defer { for path in [inner, away] { FileSystem.removeDirectory(path) } }
      let path = "\(inner)/regd.db"
      let store = try SQLiteStore(path: path)
      try await rule.check(
        ReplaceableStore(
          store: store, harm: { try Self.harm($0, path, inner, away) }, undo: { try Self.undo($0, path, inner, away) }))
      await store.close()
    }
  }

  private static func harm(_ harm: ReplaceableStore.Harm, _ path: String, _ inner: String, _ away: String) throws {
    switch harm {
    case .replaced:
      // as install(1) does it: another file of that name
      try #require(link(path, "\(path).kept") == 0)
      try FileWriting.write(FileReading.bytes(path), to: "\(path).new")
      try #require(rename("\(path).new", path) == 0)
    case .removed: try #require(rename(path, "\(path).kept") == 0)
    case .companionRemoved: try #require(rename("\(path)-wal", "\(path)-wal.kept") == 0)
    case .directoryMoved: try #require(rename(inner, away) == 0)
    }
  }

  private static func undo(_ harm: ReplaceableStore.Harm, _ path: String, _ inner: String, _ away: String) throws {
    switch harm {
    case .replaced, .removed: try #require(rename("\(path).kept", path) == 0)
    case .companionRemoved: try #require(rename("\(path)-wal.kept", "\(path)-wal") == 0)
    case .directoryMoved: try #require(rename(away, inner) == 0)
    }
  }
}

@Suite("The queue for SQLite's writer", .timeLimit(.minutes(5)))
struct WriterLineTests {
  @Test("users take turns: one with a hundred changes holds up another by one")
  func turns() async throws {
    let line = WriterLine()
    let order = Order()
    let gate = Gate()
    await withTaskGroup { group in
      group.addTask {
        try? await line.turn(of: Share(uid: 1), evenIfLate: false) { () async throws(StoreFailure) in await gate.pass()
        }
      }
      await gate.reached()
      for number in 0..<100 {
        group.addTask {
          try? await line.turn(of: Share(uid: 1), evenIfLate: false) { () async throws(StoreFailure) in
            await order.note("1")
          }
        }
        while line.count <= number { await Task.yield() }
      }
      group.addTask {
        try? await line.turn(of: Share(uid: 2), evenIfLate: false) { () async throws(StoreFailure) in
          await order.note("2")
        }
      }
      while line.count <= 100 { await Task.yield() }
      await gate.open()
    }
    let seen = await order.seen
    #expect(seen.count == 101)
    #expect((seen.firstIndex(of: "2") ?? 101) <= 1)
  }

  @Test("an operation that is cancelled before its turn leaves the queue, unless it is to be done anyway")
  func cancelled() async throws {
    let line = WriterLine()
    let gate = Gate()
    await withTaskGroup { group in
      group.addTask {
        try? await line.turn(of: Share(uid: 1), evenIfLate: false) { () async throws(StoreFailure) in await gate.pass()
        }
      }
      await gate.reached()
      let waits = Task { () -> StoreFailure? in
        do throws(StoreFailure) {
          try await line.turn(of: Share(uid: 1), evenIfLate: false) { () async throws(StoreFailure) in }
          return nil
        } catch {
          return error
        }
      }
      while line.count < 1 { await Task.yield() }
      waits.cancel()
      #expect(await waits.value == .cancelled)
      #expect(line.count == 0)
      let late = Task { () -> Bool in
        let isDone: Bool? = try? await line.turn(of: Share(uid: 1), evenIfLate: true) {
          () async throws(StoreFailure) in true
        }
        return isDone ?? false
      }
      while line.count < 1 { await Task.yield() }
      late.cancel()
      await gate.open()
      #expect(await late.value)
    }
  }
}

/// The order in which things were done.
private actor Order {
  private(set) var seen: [String] = []
  func note(_ name: String) { seen.append(name) }
}

/// Holds up tasks until it is opened.
private actor Gate {
  private var isOpen = false
  private var isReached = false
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var watching: [CheckedContinuation<Void, Never>] = []

  func pass() async {
    isReached = true
    for watcher in watching { watcher.resume() }
    watching = []
    guard !isOpen else { return }
    await withCheckedContinuation { waiting.append($0) }
  }

  func reached() async {
    guard !isReached else { return }
    await withCheckedContinuation { watching.append($0) }
  }

  func open() {
    isOpen = true
    for waiter in waiting { waiter.resume() }
    waiting = []
  }
}
