import AsyncPrimitives
import Glibc
import Synchronization
import Testing
import WorkerThreads

@Suite("Worker threads")
struct WorkerThreadsTests {
  @Test("one thread runs all work in order, and stopping waits for the work")
  func order() throws {
    let threads = try WorkerThreads(name: "test", count: 1)
    let done = Done()
    for number in 0..<1000 { threads.submit { done.append(number) } }
    threads.stop()
    #expect(done.numbers == Array(0..<1000))
    threads.stop()
  }

  @Test("several threads run each piece of work once")
  func several() throws {
    let threads = try WorkerThreads(name: "test", count: 4, niceness: 5)
    let done = Done()
    for number in 0..<1000 { threads.submit { done.append(number) } }
    threads.stop()
    #expect(done.numbers.sorted() == Array(0..<1000))
  }

  @Test("a thread without work runs its idle work once, and again after further work")
  func idling() async throws {
    let (done, idle) = (Done(), [Promise<Void>(), Promise<Void>()])
    let threads = try WorkerThreads(
      name: "test", count: 1,
      idling: .init(after: .milliseconds(1)) {
        done.append(0)
        idle[min(1, done.numbers.count / 2)].fulfill(())
      })
    await idle[0].value()
    threads.submit { done.append(1) }
    await idle[1].value()
    #expect(done.numbers == [0, 1, 0])
    threads.stop()
  }

  @Test("each thread runs its idle work once, when it ends")
  func idlingAtTheEnd() throws {
    let done = Done()
    let threads = try WorkerThreads(name: "test", count: 3, idling: .init(after: .seconds(3600)) { done.append(0) })
    for number in 1...100 { threads.submit { done.append(number) } }
    threads.stop()
    #expect(done.numbers.filter { $0 > 0 }.sorted() == Array(1...100))
    #expect(done.numbers.count { $0 == 0 } == 3)
  }

  @Test("an actor with its own thread runs only on that thread")
  func executor() async throws {
    let pinned = try Pinned()
    let thread = await pinned.thread
    for _ in 0..<20 {
      await Task.yield()
      #expect(await pinned.thread == thread)
    }
    #expect(thread != pthread_self())
  }

  private actor Pinned {
    private let executor: ThreadExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init() throws { executor = try ThreadExecutor(name: "pinned") }

    var thread: pthread_t { pthread_self() }
  }

  private final class Done: Sendable {
    private let all = Mutex<[Int]>([])
    func append(_ number: Int) { all.withLock { $0.append(number) } }
    var numbers: [Int] { all.withLock { $0 } }
  }
}
