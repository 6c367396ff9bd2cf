import FairSharing
import Testing

@Suite("A line for places", .timeLimit(.minutes(10)))
struct FairLineTests {
  @Test("users take turns: one with a hundred changes holds up another by one")
  func turns() async throws {
    let line = FairLine<Int, Int?>()
    let order = Order()
    let gate = Gate()
    await withTaskGroup { group in
      group.addTask {
        try? await line.turn(of: 1, nil, evenIfLate: false, orThrow: Cancelled()) { (_) async throws(Cancelled) in
          await gate.pass()
        }
      }
      await gate.reached()
      for number in 0..<100 {
        group.addTask {
          try? await line.turn(of: 1, nil, evenIfLate: false, orThrow: Cancelled()) { (_) async throws(Cancelled) in
            await order.note("1")
          }
        }
        while line.count <= number { await Task.yield() }
      }
      group.addTask {
        try? await line.turn(of: 2, nil, evenIfLate: false, orThrow: Cancelled()) { (_) async throws(Cancelled) in
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

  @Test("each place has one at a time, and as many are at work as there are places")
  func places() async throws {
    let line = FairLine<Int, Int?>(width: 3)
    let gates = [Gate(), Gate(), Gate()]
    let order = Order()
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          try? await line.turn(of: 1, nil, evenIfLate: false, orThrow: Cancelled()) { (place) async throws(Cancelled) in
            await order.note("\(place)")
            await gates[place].pass()
          }
        }
      }
      for gate in gates { await gate.reached() }
      while line.count < 1 { await Task.yield() }
      #expect(await order.seen.sorted() == ["0", "1", "2"])
      for gate in gates { await gate.open() }
    }
    #expect(await order.seen.count == 4)
    #expect(line.count == 0)
  }

  @Test("an operation that is cancelled before its turn leaves the queue, unless it is to be done anyway")
  func cancelled() async throws {
    let line = FairLine<Int, Int?>()
    let gate = Gate()
    await withTaskGroup { group in
      group.addTask {
        try? await line.turn(of: 1, nil, evenIfLate: false, orThrow: Cancelled()) { (_) async throws(Cancelled) in
          await gate.pass()
        }
      }
      await gate.reached()
      let waits = Task { () -> Bool in
        do throws(Cancelled) {
          try await line.turn(of: 1, nil, evenIfLate: false, orThrow: Cancelled()) { (_) async throws(Cancelled) in }
          return false
        } catch {
          return true
        }
      }
      while line.count < 1 { await Task.yield() }
      waits.cancel()
      #expect(await waits.value)
      #expect(line.count == 0)
      let late = Task { () -> Bool in
        let isDone: Bool? = try? await line.turn(of: 1, nil, evenIfLate: true, orThrow: Cancelled()) {
          (_) async throws(Cancelled) in true
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

private struct Cancelled: Error {}

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
