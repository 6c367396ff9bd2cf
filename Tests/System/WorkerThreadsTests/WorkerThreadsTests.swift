import Glibc
import Synchronization
import Testing
import WorkerThreads

@Suite("Worker threads")
struct WorkerThreadsTests {
  @Test("one thread does everything in order, and stopping waits for it")
  func order() throws {
    let threads = try WorkerThreads(name: "test", count: 1)
    let done = Done()
    for number in 0..<1000 { threads.submit { done.append(number) } }
    threads.stop()
    #expect(done.numbers == Array(0..<1000))
    threads.stop()
  }

  @Test("several threads do everything once")
  func several() throws {
    let threads = try WorkerThreads(name: "test", count: 4, niceness: 5)
    let done = Done()
    for number in 0..<1000 { threads.submit { done.append(number) } }
    threads.stop()
    #expect(done.numbers.sorted() == Array(0..<1000))
  }

  @Test("an actor on a thread of its own runs there, and nowhere else")
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
