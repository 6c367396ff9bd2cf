import FairQueues
import Testing

@Suite("A fair semaphore", .timeLimit(.minutes(10)))
struct FairSemaphoreTests {
  @Test("users take turns, so a user with 100 changes delays another user by only one change")
  func turns() async throws {
    let semaphore = FairSemaphore<Int, Int?>()
    let order = Order()
    let gate = Gate()
    await withTaskGroup { group in
      group.addTask {
        try? await semaphore.turn(of: 1, nil, evenIfLate: false, orThrow: Cancelled()) { (_) async throws(Cancelled) in
          await gate.pass()
        }
      }
      await gate.reached()
      for number in 0..<100 {
        group.addTask {
          try? await semaphore.turn(of: 1, nil, evenIfLate: false, orThrow: Cancelled()) {
            (_) async throws(Cancelled) in
            await order.note("1")
          }
        }
        while semaphore.count <= number { await Task.yield() }
      }
      group.addTask {
        try? await semaphore.turn(of: 2, nil, evenIfLate: false, orThrow: Cancelled()) { (_) async throws(Cancelled) in
          await order.note("2")
        }
      }
      while semaphore.count <= 100 { await Task.yield() }
      await gate.open()
    }
    let seen = await order.seen
    #expect(seen.count == 101)
    #expect((seen.firstIndex(of: "2") ?? 101) <= 1)
  }

  @Test("each place has one member at a time, and members use all places")
  func places() async throws {
    let semaphore = FairSemaphore<Int, Int?>(width: 3)
    let gates = [Gate(), Gate(), Gate()]
    let order = Order()
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          try? await semaphore.turn(of: 1, nil, evenIfLate: false, orThrow: Cancelled()) {
            (place) async throws(Cancelled) in
            await order.note("\(place)")
            await gates[place].pass()
          }
        }
      }
      for gate in gates { await gate.reached() }
      while semaphore.count < 1 { await Task.yield() }
      #expect(await order.seen.sorted() == ["0", "1", "2"])
      for gate in gates { await gate.open() }
    }
    #expect(await order.seen.count == 4)
    #expect(semaphore.count == 0)
  }

  @Test("a user with slow changes has at most its share of the places while another user waits")
  func share() async throws {
    let semaphore = FairSemaphore<Int, Int?>(width: 4, share: 2)
    // by user, in the order of their turns
    let gates = [1: (0..<8).map { _ in Gate() }, 2: (0..<4).map { _ in Gate() }]
    let order = Order()
    await withTaskGroup { group in
      @Sendable func work(_ user: Int, _ number: Int) async {
        try? await semaphore.turn(of: user, nil, evenIfLate: false, orThrow: Cancelled()) {
          (_) async throws(Cancelled) in
          await order.note("\(user)")
          await gates[user]?[number].pass()
        }
      }
      for number in 0..<4 {
        group.addTask { await work(1, number) }
        await gates[1]?[number].reached()
      }
      for number in 4..<8 {
        group.addTask { await work(1, number) }
        while semaphore.count <= number - 4 { await Task.yield() }
      }
      for number in 0..<4 {
        group.addTask { await work(2, number) }
        while semaphore.count <= number + 4 { await Task.yield() }
      }
      #expect(await order.seen == ["1", "1", "1", "1"])
      // two of the four places go to the other user, who keeps them while waiting for further places
      for number in 0..<2 {
        await gates[1]?[number].open()
        await gates[2]?[number].reached()
      }
      for number in 0..<2 {
        await gates[2]?[number].open()
        await gates[2]?[number + 2].reached()
      }
      #expect(await order.seen == ["1", "1", "1", "1", "2", "2", "2", "2"])
      await gates[2]?[2].open()
      await gates[1]?[4].reached()
      for gate in gates.values.joined() { await gate.open() }
    }
    #expect(await order.seen.count == 12)
    #expect(semaphore.count == 0)
  }

  @Test("a cancelled operation leaves the queue before its turn, unless it must run even if late")
  func cancelled() async throws {
    let semaphore = FairSemaphore<Int, Int?>()
    let gate = Gate()
    await withTaskGroup { group in
      group.addTask {
        try? await semaphore.turn(of: 1, nil, evenIfLate: false, orThrow: Cancelled()) { (_) async throws(Cancelled) in
          await gate.pass()
        }
      }
      await gate.reached()
      let waits = Task { () -> Bool in
        do throws(Cancelled) {
          try await semaphore.turn(of: 1, nil, evenIfLate: false, orThrow: Cancelled()) { (_) async throws(Cancelled) in
          }
          return false
        } catch {
          return true
        }
      }
      while semaphore.count < 1 { await Task.yield() }
      waits.cancel()
      #expect(await waits.value)
      #expect(semaphore.count == 0)
      let late = Task { () -> Bool in
        let isDone: Bool? = try? await semaphore.turn(of: 1, nil, evenIfLate: true, orThrow: Cancelled()) {
          (_) async throws(Cancelled) in true
        }
        return isDone ?? false
      }
      while semaphore.count < 1 { await Task.yield() }
      late.cancel()
      await gate.open()
      #expect(await late.value)
    }
  }

  @Test("reserved places go only to users without a place, even while no such user waits")
  func reserve() async throws {
    let semaphore = FairSemaphore<Int, Int?>(width: 4, share: 2, reserve: 1)
    let gates = (0..<4).map { _ in Gate() }
    let order = Order()
    await withTaskGroup { group in
      @Sendable func work(_ user: Int, _ gate: Gate?) async {
        try? await semaphore.turn(of: user, nil, evenIfLate: false, orThrow: Cancelled()) {
          (_) async throws(Cancelled) in
          await order.note("\(user)")
          await gate?.pass()
        }
      }
      for number in 0..<3 {
        group.addTask { await work(1, gates[number]) }
        await gates[number].reached()
      }
      group.addTask { await work(1, nil) }
      while semaphore.count < 1, await order.seen.count < 4 { await Task.yield() }
      // the other users take turns at the last place
      await work(2, nil)
      await work(3, nil)
      await work(2, nil)
      #expect(await order.seen == ["1", "1", "1", "2", "3", "2"])
      group.addTask { await work(2, gates[3]) }
      await gates[3].reached()
      #expect(semaphore.count == 1)
      for gate in gates { await gate.open() }
    }
    #expect(await order.seen.count == 8)
    #expect(semaphore.count == 0)
  }
}

private struct Cancelled: Error {}

/// The order in which the operations ran.
private actor Order {
  private(set) var seen: [String] = []
  func note(_ name: String) { seen.append(name) }
}

/// Holds up tasks until it is opened.
actor Gate {
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
