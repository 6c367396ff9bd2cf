import AsyncPrimitives
import Synchronization
import Testing

@Suite("Promises", .timeLimit(.minutes(10)))
struct PromiseTests {
  @Test("a promise delivers its value, whether the value comes before or after the wait", arguments: [false, true])
  func value(isEarly: Bool) async {
    let promise = Promise<Int>()
    if isEarly { promise.fulfill(7) }
    async let value = promise.value()
    if !isEarly { promise.fulfill(7) }
    #expect(await value == 7)
    // the value is kept
    #expect(await promise.value() == 7)
  }

  @Test("only the first value counts")
  func first() async {
    let promise = Promise<Int?>()
    promise.fulfill(nil)
    promise.fulfill(2)
    #expect(await promise.value() == nil)
  }

  @Test("a cancelled task continues to wait unless its handler fulfills the promise")
  func cancellation() async {
    let (calls, call) = AsyncStream<Void>.makeStream()
    let (patient, impatient) = (Promise<String>(), Promise<String>())
    await withTaskGroup(of: String.self) { group in
      group.addTask { await patient.value(onCancel: { call.yield() }) }
      group.addTask { await impatient.value(onCancel: { impatient.fulfill("cancelled") }) }
      group.cancelAll()
      #expect(await group.next() == "cancelled")
      for await _ in calls { break }
      patient.fulfill("provided")
      #expect(await group.next() == "provided")
    }
  }

  @Test("if a task is already cancelled, its handler runs at once")
  func cancelledBefore() async {
    let promise = Promise<String>()
    await withTaskGroup(of: String.self) { group in
      group.cancelAll()
      group.addTask { await promise.value(onCancel: { promise.fulfill("cancelled") }) }
      #expect(await group.next() == "cancelled")
    }
  }

  @Test("if several tasks fulfill a promise at once, one value wins and the waiting task resumes once")
  func race() async {
    for _ in 0..<200 {
      let promise = Promise<Int>()
      await withTaskGroup(of: Int?.self) { group in
        group.addTask { await promise.value(onCancel: { promise.fulfill(-1) }) }
        for number in 0..<4 {
          group.addTask {
            promise.fulfill(number)
            return nil
          }
        }
        group.cancelAll()
        var values: [Int] = []
        for await case let value? in group { values.append(value) }
        #expect(values.count == 1)
      }
    }
  }
}

@Suite("Wake signals", .timeLimit(.minutes(10)))
struct WakeSignalTests {
  @Test("a signal wakes the waiting task, and an earlier signal is remembered for one wait")
  func raised() async {
    let signal = WakeSignal()
    signal.raise()
    signal.raise()
    await signal.wait(atMost: .seconds(3600))
    #expect(await isUsedUp(signal))
    async let woken: Void = signal.wait(atMost: .seconds(3600))
    // Gives the task time to wait. If it does not wait yet, the signal is kept.
    for _ in 0..<1000 { await Task.yield() }
    signal.raise()
    await woken
    #expect(await isUsedUp(signal))
  }

  /// Whether a wait lasts until its timeout.
  private func isUsedUp(_ signal: WakeSignal) async -> Bool {
    let begun = ContinuousClock.now
    await signal.wait(atMost: .milliseconds(20))
    return .now - begun >= .milliseconds(20)
  }

  @Test("cancelling the task ends its wait")
  func cancelled() async {
    let signal = WakeSignal()
    await withTaskGroup { group in
      group.addTask { await signal.wait(atMost: .seconds(3600)) }
      group.cancelAll()
    }
  }
}
