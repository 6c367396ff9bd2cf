import AsyncPrimitives
import Testing

@Suite("Work that another part of the program can cancel", .timeLimit(.minutes(10)))
struct TaskCancellerTests {
  @Test("cancelling before the work begins cancels the work")
  func before() async {
    let canceller = TaskCanceller()
    canceller.cancel()
    #expect(await Task { await canceller.run { Task.isCancelled } }.value)
  }

  @Test("cancelling while the work runs cancels the work and its child tasks")
  func meanwhile() async {
    let (canceller, begun, ended) = (TaskCanceller(), Promise<Void>(), Promise<String>())
    let task = Task {
      await canceller.run {
        async let child = ended.value(onCancel: { ended.fulfill("cancelled") })
        begun.fulfill(())
        return await (child, Task.isCancelled)
      }
    }
    await begun.value()
    canceller.cancel()
    #expect(await task.value == ("cancelled", true))
  }

  @Test("cancelling after the work ends does not cancel its task, which continues")
  func afterwards() async {
    let canceller = TaskCanceller()
    let isCancelled = await Task {
      let answer = await canceller.run { 7 }
      #expect(answer == 7)
      canceller.cancel()
      return Task.isCancelled
    }.value
    #expect(!isCancelled)
  }

  @Test("cancelling while the work ends does not cancel any other task")
  func race() async {
    for _ in 0..<500 {
      let (canceller, begun) = (TaskCanceller(), Promise<Void>())
      let task = Task {
        await canceller.run { begun.fulfill(()) }
        await Task { await Task.yield() }.value
      }
      await begun.value()
      canceller.cancel()
      await task.value
      #expect(await Task { Task.isCancelled }.value == false)
    }
  }
}
