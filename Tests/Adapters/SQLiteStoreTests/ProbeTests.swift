import AsyncPrimitives
import Linux
import Liveness
import Registration
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

/// Whether the store's threads make progress: waiting for another program's lock counts as progress, a hanging thread
/// does not.
@Suite("The store's probes", .timeLimit(.minutes(10)))
struct ProbeTests {
  private func probe(_ store: SQLiteStore, _ name: String) throws -> Probe {
    try #require(store.probes.first { $0.name == name })
  }

  @Test("a hanging writer does not answer the probe until it continues, while the reader answers")
  func hanging() async throws {
    try await withTemporaryDirectory { directory in
      let (gate, isHeld, answered) = (try EventCounter(), Promise<Void>(), Promise<Void>())
      // the observer is called on the writer's thread
      let store = try SQLiteStore(
        path: "\(directory)/regd.db",
        observer: { _ in
          isHeld.fulfill(())
          gate.wait()
        })
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { _ = try await store.insert(Fixtures.account()) }
        await isHeld.value()
        let writer = ProbeRound(asking: [try probe(store, "the store's writer")]) { answered.fulfill(()) }
        let reader = Promise<Void>()
        let round = ProbeRound(asking: [try probe(store, "the store's reader")]) { reader.fulfill(()) }
        await reader.value()
        #expect(round.silent == [])
        #expect(writer.silent == ["the store's writer"])
        gate.signal()
        await answered.value()
        #expect(writer.silent == [])
        try await group.waitForAll()
      }
    }
  }

  @Test("a writer that waits for another program's lock answers the probe meanwhile")
  func locked() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let writer = try SQLiteStore.open(path, 600_000)
      let (lockWait, waits) = (writer.lockWait, Promise<Void>())
      let store = try SQLiteStore(writer: writer, reader: try Connection(path: path, busyMilliseconds: 0))
      let other = try Connection(path: path, busyMilliseconds: 0)
      try other.execute("BEGIN IMMEDIATE")
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { _ = try await store.insert(Fixtures.account()) }
        lockWait.awaited.append { waits.fulfill(()) }
        await waits.value()
        // now the thread waits and does nothing else
        let answered = Promise<Void>()
        _ = ProbeRound(asking: [try probe(store, "the store's writer")]) { answered.fulfill(()) }
        await answered.value()
        try other.execute("ROLLBACK")
        try await group.waitForAll()
      }
      #expect(try await store.find(Fixtures.account().account.email.key) != nil)
    }
  }

  @Test(
    "a lock wait lasts at least as long as requested, with no more tries than needed",
    arguments: [0, 1, 7, 53, 228, 500] as [Int32])
  func schedule(_ milliseconds: Int32) {
    let wait = LockWait(milliseconds: milliseconds)
    let start = ContinuousClock.now
    var tries: Int32 = 0
    while wait.goesOn(tries) { tries += 1 }
    #expect(ContinuousClock.now - start >= .milliseconds(milliseconds))
    // The steps add up to the requested time. A further try would be a wait too many.
    #expect(tries <= 12 + milliseconds / 100)
    #expect((tries == 0) == (milliseconds == 0))
  }
}
