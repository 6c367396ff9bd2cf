import Registration
import Synchronization
import TestDoubles
import Testing

@Suite("Replacement of the store in use", .timeLimit(.minutes(10)))
struct SwitchableEngineTests {
  private let stamp = Stamp(Fixtures.time)
  /// Longer than a test runs on any machine.
  private static let long = Duration.seconds(3600)

  /// Waits until no hold is in force, and returns true.
  private func isOver(_ store: SwitchableEngine) async -> Bool {
    while true {
      do throws(SwitchableEngine.HoldFailure) {
        store.release(try await store.hold(for: Self.long).name)
        return true
      } catch {
        await Task.yield()
      }
    }
  }

  /// Begins a short hold that ends by itself, even if it ends before its caller gets the name.
  private func shortHold(_ store: SwitchableEngine) async throws -> String {
    while true {
      do throws(SwitchableEngine.HoldFailure) { return try await store.hold(for: .milliseconds(50)).name } catch {
        guard error == .busy || error == .held else { throw error }
      }
    }
  }

  @Test("a check may settle a commit, so it waits during a switch like a change and then runs in the new store")
  func checked() async throws {
    let checks = Mutex<[String]>([])
    func store(_ name: String) -> CheckedStore {
      CheckedStore { checks.withLock { $0.append(name) } }
    }
    let switched = SwitchableEngine(OpenStore(store("old")), longest: Self.long)
    let hold = try await switched.hold(for: Self.long)
    #expect(switched.beginSwitch(hold.name))
    try await withThrowingTaskGroup { group in
      group.addTask { try await switched.check() }
      for _ in 0..<100 { await Task.yield() }
      switched.endSwitch(with: OpenStore(store("new")))
      try await group.waitForAll()
    }
    #expect(checks.withLock { $0 } == ["old", "new"])
  }

  @Test("a hold delays changes but not look-ups, and both go to the new store after the switch")
  func switched() async throws {
    let (old, new) = (MemoryStore(), MemoryStore())
    let closed = Mutex(0)
    let store = SwitchableEngine(OpenStore(old, close: { closed.withLock { $0 += 1 } }), longest: Self.long)
    let (before, held) = (Fixtures.account("a@example.com"), Fixtures.account("b@example.com"))
    _ = try await store.insert(before, request: nil, stamp)
    let hold = try await store.hold(for: Self.long)
    #expect(hold.left > .zero && hold.left <= Self.long)
    // from now on the hold does not end by itself
    #expect(store.beginSwitch(hold.name))
    try await withThrowingTaskGroup { group in
      group.addTask { try await store.insert(held, request: nil, stamp) }
      let found = try await store.find(before.account.id)
      #expect(found == before)
      let listed = try await store.list(after: nil, limit: 9)
      #expect(listed.count == 1)
      #expect(!store.release(hold.name))
      let copied = try await old.find(held.account.id)
      #expect(copied == nil)
      store.endSwitch(with: OpenStore(new))
      let answer = try await group.next()
      #expect(answer == .inserted)
    }
    #expect(try await old.list(after: nil, limit: 9).map(\.account.id) == [before.account.id])
    #expect(try await new.list(after: nil, limit: 9).map(\.account.id) == [held.account.id])
    #expect(try await store.find(before.account.id) == nil)
    await withTaskGroup { group in
      group.addTask { await store.run() }
      while closed.withLock({ $0 }) == 0 { await Task.yield() }
      group.cancelAll()
    }
    #expect(closed.withLock { $0 } == 1)
  }

  @Test("a hold ends by itself, and then the delayed changes continue in the same store")
  func runsOut() async throws {
    let store = SwitchableEngine(OpenStore(MemoryStore()), longest: Self.long)
    try await withThrowingTaskGroup { group in
      group.addTask {
        await store.run()
        return InsertAnswer.inserted
      }
      let hold = try await shortHold(store)
      // nothing releases the hold
      #expect(try await store.insert(Fixtures.account(), request: nil, stamp) == .inserted)
      #expect(!store.beginSwitch(hold))
      #expect(!store.release(hold))
      #expect(await isOver(store))
      group.cancelAll()
    }
    // a daemon that is stopping allows no hold
    await #expect(throws: SwitchableEngine.HoldFailure.stopping) { try await store.hold(for: Self.long) }
  }

  @Test("a hold waits for changes in progress, and is given up if they do not end in time")
  func drains() async throws {
    let curtain = StalledStore()
    let store = SwitchableEngine(OpenStore(curtain), longest: Self.long)
    try await withThrowingTaskGroup { group in
      group.addTask { _ = try await store.insert(Fixtures.account(), request: nil, stamp) }
      await curtain.isAsked()
      group.addTask { await store.run() }
      await #expect(throws: SwitchableEngine.HoldFailure.busy) { try await store.hold(for: .milliseconds(1)) }
      #expect(!store.beginSwitch(""))
      curtain.goOn()
      _ = try await group.next()
      #expect(await isOver(store))
      group.cancelAll()
    }
  }

  @Test("only one hold is in force at a time, and a switch needs its name")
  func names() async throws {
    let store = SwitchableEngine(OpenStore(MemoryStore()), longest: Self.long)
    let hold = try await store.hold(for: Self.long)
    await #expect(throws: SwitchableEngine.HoldFailure.held) { try await store.hold(for: Self.long) }
    #expect(!store.beginSwitch("another") && !store.release("another"))
    #expect(store.release(hold.name) && !store.release(hold.name) && !store.beginSwitch(hold.name))
    let next = try await store.hold(for: Self.long)
    #expect(next.name != hold.name && store.beginSwitch(next.name))
    store.endSwitch(with: nil)
    #expect(try await store.insert(Fixtures.account(), request: nil, stamp) == .inserted)
  }

  @Test("a cancelled change does not wait during a hold, but a change that records an authority's answer does")
  func cancelled() async throws {
    let store = SwitchableEngine(OpenStore(MemoryStore()), longest: Self.long)
    let account = Fixtures.account()
    _ = try await store.insert(account, request: nil, stamp)
    let hold = try await store.hold(for: Self.long)
    #expect(store.beginSwitch(hold.name))
    await withTaskGroup { group in
      group.addTask {
        withUnsafeCurrentTask { $0?.cancel() }
        await #expect(throws: StoreFailure.cancelled) { try await store.setEnabled(account.account.id, false, stamp) }
        store.endSwitch(with: nil)
      }
      group.addTask {
        withUnsafeCurrentTask { $0?.cancel() }
        let isThere = try? await store.confirm(account.account.id, at: nil)
        #expect(isThere == true)
      }
    }
    #expect(try await store.find(account.account.id)?.confirmedAt == nil)
  }

  @Test("an unopened store refuses every operation with the latest reason, until the opened store takes its place")
  func unopened() async throws {
    let reason = Reloadable("no answer")
    let store = SwitchableEngine(OpenStore(UnopenedEngine(reason)))
    let (account, time) = (Fixtures.account(), Fixtures.time)
    let request = try #require(RequestKey(uid: 7, id: "r"))
    await #expect(throws: StoreFailure.unavailable(detail: "no answer")) { try await store.find(account.account.id) }
    reason.replace("refused")
    let refused = StoreFailure.unavailable(detail: "refused")
    await #expect(throws: refused) { try await store.insert(account, request: nil, stamp) }
    await #expect(throws: refused) { try await store.list(after: nil, limit: 9) }
    await #expect(throws: refused) { try await store.sweep(at: time, addressesBefore: time, limit: 9) }
    await #expect(throws: refused) { try await store.awaitCommit(of: request) }
    await #expect(throws: refused) { try await store.check() }
    await #expect(throws: SwitchableEngine.HoldFailure.busy) { try await store.hold(for: Self.long) }
    let opened = MemoryStore()
    store.replaceUnopened(by: OpenStore(opened))
    #expect(store.keys == opened.keys)
    #expect(try await store.insert(account, request: nil, stamp) == .inserted)
    #expect(try await opened.find(account.account.id) == account)
  }
}

/// A store that calls `checked` at each check.
private struct CheckedStore: EngineDouble {
  let base: any StoreEngine = MemoryStore()
  let checked: @Sendable () -> Void

  func check() async { checked() }
}

/// A store whose changes end only after `goOn`.
private final class StalledStore: EngineDouble {
  let base: any StoreEngine = MemoryStore()
  private let asked = AsyncStream.makeStream(of: Void.self)
  private let going = AsyncStream.makeStream(of: Void.self)

  func write<Value: Sendable>(
    _ scope: ChangeScope, for share: Share, evenIfLate isLate: Bool, _ body: @escaping StoreBody<Value>
  ) async throws(StoreFailure) -> Value {
    asked.continuation.finish()
    for await _ in going.stream {}
    return try await base.write(scope, for: share, evenIfLate: isLate, body)
  }

  func isAsked() async { for await _ in asked.stream {} }
  func goOn() { going.continuation.finish() }
}
