import FairQueues
import Synchronization
import Testing

@Suite("A fair semaphore with locks", .timeLimit(.minutes(10)))
struct FairSemaphoreLockTests {
  private let semaphore = FairSemaphore<Int, Int?>(width: 100)

  /// Runs `done` as a member with these locks. Returns false if the member was cancelled before its turn.
  private func work(_ group: Int, _ locks: Set<Int>, _ done: @escaping @Sendable () async -> Void) async -> Bool {
    await Self.work(semaphore, group, locks, done)
  }

  private static func work(
    _ semaphore: FairSemaphore<Int, Int?>, _ group: Int, _ locks: Set<Int>, _ done: @escaping @Sendable () async -> Void
  ) async -> Bool {
    do throws(Cancelled) {
      try await semaphore.turn(of: group, nil, at: locks, evenIfLate: false, orThrow: Cancelled()) {
        (_) async throws(Cancelled) in await done()
      }
      return true
    } catch {
      return false
    }
  }

  @Test("members without common locks work at the same time, and members with common locks one after another")
  func beside() async {
    let gate = Gate()
    let seen = Seen()
    await withTaskGroup { group in
      group.addTask {
        _ = await work(1, [1, 2]) {
          await gate.pass()
          seen.note("first")
        }
      }
      await gate.reached()
      group.addTask { _ = await work(1, [2, 3]) { seen.note("second") } }
      while semaphore.count < 1 { await Task.yield() }
      // lock 4 is free, and the member that waits for lock 2 does not hold lock 3
      #expect(await work(2, [3, 4]) { seen.note("beside") })
      #expect(await work(2, []) { seen.note("nothing") })
      #expect(seen.names == ["beside", "nothing"])
      await gate.open()
    }
    #expect(seen.names == ["beside", "nothing", "first", "second"])
    #expect(semaphore.count == 0)
  }

  @Test("users take turns at a lock")
  func turns() async {
    let gate = Gate()
    let seen = Seen()
    await withTaskGroup { group in
      group.addTask {
        _ = await work(1, [1]) {
          await gate.pass()
        }
      }
      await gate.reached()
      for number in 0..<50 {
        group.addTask { _ = await work(1, [1]) { seen.note("crowd") } }
        while semaphore.count <= number { await Task.yield() }
      }
      group.addTask { _ = await work(2, [1]) { seen.note("other") } }
      while semaphore.count <= 50 { await Task.yield() }
      await gate.open()
    }
    #expect((seen.names.firstIndex(of: "other") ?? 51) <= 1)
    #expect(seen.names.count == 51)
  }

  @Test("a member that is cancelled while it waits for a lock never works and does not hold its other locks")
  func cancelled() async {
    let gate = Gate()
    await withTaskGroup { group in
      group.addTask { _ = await work(1, [2]) { await gate.pass() } }
      await gate.reached()
      let waits = Task { await work(1, [1, 2]) { Issue.record("it works") } }
      while semaphore.count < 1 { await Task.yield() }
      // a member holds no lock while it waits for another one
      #expect(await work(2, [1]) {})
      waits.cancel()
      #expect(await !waits.value)
      #expect(semaphore.count == 0)
      await gate.open()
    }
    #expect(await work(2, [1, 2]) {})
  }

  @Test("a member that waits for a place does not hold its locks")
  func free() async {
    let semaphore = FairSemaphore<Int, Int?>(width: 2, share: 1, reserve: 1)
    @Sendable func work(_ user: Int, _ locks: Set<Int>, _ done: @escaping @Sendable () async -> Void) async -> Bool {
      await Self.work(semaphore, user, locks, done)
    }
    let gate = Gate()
    let seen = Seen()
    await withTaskGroup { group in
      group.addTask { _ = await work(1, [1]) { await gate.pass() } }
      await gate.reached()
      for number in 0..<3 {
        group.addTask { _ = await work(1, [7]) { seen.note("first") } }
        while semaphore.count <= number { await Task.yield() }
      }
      for _ in 0..<3 { #expect(await work(2, [7]) { seen.note("other") }) }
      #expect(seen.names == ["other", "other", "other"])
      await gate.open()
    }
    #expect(seen.names.count == 6)
    #expect(semaphore.count == 0)
  }

  @Test("if a recalled member is cancelled before its turn, the next member of its user works")
  func recalled() async {
    let semaphore = FairSemaphore<Int, Int?>()
    let (first, second) = (Gate(), Gate())
    let seen = Seen()
    await withTaskGroup { group in
      group.addTask { _ = await Self.work(semaphore, 2, [7]) { await first.pass() } }
      await first.reached()
      let waits = Task { await Self.work(semaphore, 1, [7]) { Issue.record("it works") } }
      while semaphore.count < 1 { await Task.yield() }
      group.addTask { _ = await Self.work(semaphore, 1, [7]) { seen.note("next") } }
      while semaphore.count < 2 { await Task.yield() }
      group.addTask { _ = await Self.work(semaphore, 3, []) { await second.pass() } }
      while semaphore.count < 3 { await Task.yield() }
      // The third user has the place. The first user's member is recalled for the lock and waits for a place.
      await first.open()
      await second.reached()
      waits.cancel()
      #expect(await !waits.value)
      await second.open()
    }
    #expect(seen.names == ["next"])
    #expect(semaphore.count == 0)
  }

  @Test("a member eventually works even if one of its two locks is always taken")
  func starved() async {
    let (seen, ended) = (Seen(), Seen())
    let gates = (0...9).map { _ in Gate() }
    await withTaskGroup { group in
      @Sendable func keep(_ lock: Int, _ number: Int) async {
        _ = await work(2, [lock]) { await gates[number].pass() }
        ended.note("\(number)")
      }
      group.addTask { await keep(1, 0) }
      await gates[0].reached()
      group.addTask { _ = await work(1, [1, 2]) { seen.note("both") } }
      while semaphore.count < 1 { await Task.yield() }
      for number in 1...9 {
        #expect(seen.names.isEmpty)
        group.addTask { await keep(number % 2 + 1, number) }
        await gates[number].reached()
        await gates[number - 1].open()
        while ended.names.count < number { await Task.yield() }
      }
      while seen.names.isEmpty { await Task.yield() }
      await gates[9].open()
    }
    #expect(seen.names == ["both"])
    #expect(semaphore.count == 0)
  }

  @Test("members that are cancelled at any moment leave all places and locks free")
  func leaving() async {
    let semaphore = FairSemaphore<Int, Int?>(width: 4, share: 2, reserve: 1)
    let worked = Seen()
    await withTaskGroup { group in
      for number in 0..<300 {
        group.addTask {
          let task = Task {
            await Self.work(semaphore, number % 5, [number % 7, number % 3 + 7]) {
              await Task.yield()
              worked.note("")
            }
          }
          for _ in 0..<number % 11 { await Task.yield() }
          if number % 2 == 0 { task.cancel() }
          _ = await task.value
        }
      }
    }
    #expect(worked.names.count >= 150)
    #expect(semaphore.count == 0)
    // four users have all places and all locks at the same time
    let gates = (0..<4).map { _ in Gate() }
    await withTaskGroup { group in
      for (user, locks) in [[0, 1, 2], [3, 4], [5, 6, 7], [8, 9]].enumerated() {
        group.addTask { _ = await Self.work(semaphore, user, Set(locks)) { await gates[user].pass() } }
      }
      for gate in gates { await gate.reached() }
      for gate in gates { await gate.open() }
    }
  }

  @Test("members that need many locks in any order all get their turns eventually")
  func many() async {
    let count = Seen()
    await withTaskGroup { group in
      for number in 0..<200 {
        group.addTask {
          _ = await work(number % 3, [number % 7, number % 5 + 3, number % 11]) { count.note("") }
        }
      }
    }
    #expect(count.names.count == 200)
    #expect(semaphore.count == 0)
  }
}

private struct Cancelled: Error {}

private final class Seen: Sendable {
  private let guarded = Mutex<[String]>([])

  var names: [String] { guarded.withLock { $0 } }

  func note(_ name: String) { guarded.withLock { $0.append(name) } }
}
