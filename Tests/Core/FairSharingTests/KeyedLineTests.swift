import FairSharing
import Synchronization
import Testing

@Suite("Lines by what is asked for", .timeLimit(.minutes(10)))
struct KeyedLineTests {
  private let line = KeyedLine<Int, Int?>()

  /// Has a member work at locks until the promise is fulfilled.
  private func work(_ group: Int, _ locks: Set<Int>, _ done: @escaping @Sendable () async -> Void) async -> Bool {
    do throws(Cancelled) {
      try await line.turn(of: group, nil, at: locks, evenIfLate: false, orThrow: Cancelled()) {
        () async throws(Cancelled) in await done()
      }
      return true
    } catch {
      return false
    }
  }

  @Test("members with nothing in common work beside each other, and those with something in common one after another")
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
      while line.count < 1 { await Task.yield() }
      // neither of them has the lock 4, and the one that waits has no lock yet behind the one that it waits for
      #expect(await work(2, [3, 4]) { seen.note("beside") })
      #expect(await work(2, []) { seen.note("nothing") })
      #expect(seen.names == ["beside", "nothing"])
      await gate.open()
    }
    #expect(seen.names == ["beside", "nothing", "first", "second"])
    #expect(line.count == 0)
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
        while line.count <= number { await Task.yield() }
      }
      group.addTask { _ = await work(2, [1]) { seen.note("other") } }
      while line.count <= 50 { await Task.yield() }
      await gate.open()
    }
    #expect((seen.names.firstIndex(of: "other") ?? 51) <= 1)
    #expect(seen.names.count == 51)
  }

  @Test("who is cancelled while waiting gives back what it had, and never works")
  func cancelled() async {
    let gate = Gate()
    await withTaskGroup { group in
      group.addTask {
        _ = await work(1, [2]) {
          await gate.pass()
        }
      }
      await gate.reached()
      let waits = Task { await work(1, [1, 2]) { Issue.record("it works") } }
      while line.count < 1 { await Task.yield() }
      waits.cancel()
      #expect(await !waits.value)
      #expect(line.count == 0)
      // the lock 1 is free again
      #expect(await work(2, [1]) {})
      await gate.open()
    }
    #expect(await work(2, [1, 2]) {})
  }

  @Test("members that need many locks in any order all get their turns")
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
    #expect(line.count == 0)
  }
}

private struct Cancelled: Error {}

private final class Seen: Sendable {
  private let guarded = Mutex<[String]>([])

  var names: [String] { guarded.withLock { $0 } }

  func note(_ name: String) { guarded.withLock { $0.append(name) } }
}
