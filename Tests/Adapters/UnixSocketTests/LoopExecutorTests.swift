import AsyncPrimitives
import Glibc
import JSONRPC
import Linux
import Synchronization
import TestKit
import Testing
import WireProtocols
import WorkerThreads

@testable import UnixSocket

@Suite("Tasks on event loops", .timeLimit(.minutes(10)))
struct LoopExecutorTests {
  private static let text = Parameter("text", .string, required: true, "A text.")

  private static func thread() -> String { "\(UInt(pthread_self()))" }

  /// The threads that the task runs on before and after it waits for another thread.
  private static func threads() async -> Reply {
    let before = thread()
    let promise = Promise<Void>()
    let other = try? StartedThread(name: "other", niceness: 0) { promise.fulfill(()) }
    await promise.value()
    other?.detach()
    let after = thread()
    return .result { $0.value("\(before) \(after)") }
  }

  private static let table = MethodTable([
    Method("which.loop", "Its thread.", .immediate { _, _, result in result.value(thread()) }),
    Method("suspends", "Its threads.", parameters: [text], .suspending { _, _ in { _ in await threads() } }),
    Method("looks.up", "Its threads.", parameters: [text], .lookingUp { _, _ in { _ in await threads() } }),
  ])

  @Test(
    "a look-up resumes on its connection's loop after each wait; costly look-ups and other work run elsewhere",
    arguments: [1, 2])
  func goesOn(_ count: Int) async throws {
    try await withTemporaryDirectory { directory in
      let socket = try ListeningSocket(path: "\(directory)/s", mode: 0o600, group: nil)
      // tasks on the pool wait for as long as other tests occupy it
      let limits = Limits(requestSeconds: 3600)
      let server = Server(
        [ListeningPoint("regd", socket, JSONRPCProtocol(Dispatcher(table: Self.table, limits: limits)))], loops: count,
        limits: limits, quotas: PeerQuotas(limits), report: { _ in })
      let ready = Promise<Void>()
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await server.run { _ in ready.fulfill(()) } }
        await ready.value()
        // not on the pool, which has to answer
        let dialogue = Promise<Result<Bool, any Error>>()
        let thread = try StartedThread(name: "callers", niceness: 0) {
          dialogue.fulfill(Result { try Self.isAsItShouldBe("\(directory)/s") })
        }
        let outcome = await dialogue.value()
        thread.join()
        #expect(try outcome.get())
        await server.drain(within: .zero)
        try await group.waitForAll()
      }
    }
  }

  private static func isAsItShouldBe(_ socket: String) throws -> Bool {
    let costly = "[\"\(String(repeating: "x", count: 32 * Parameters.lightWeight + 32))\"]"
    for caller in try (0..<4).map({ _ in try RawCaller(socket) }) {
      let loop = try answer(caller, "which.loop")
      for (method, params) in [("suspends", #"["x"]"#), ("looks.up", costly)] {
        let threads = try answer(caller, method, params).split(separator: " ")
        guard threads.count == 2, threads.allSatisfy({ $0 != loop }) else { return false }
      }
      for _ in 0..<10 {
        guard try answer(caller, "looks.up", #"["x"]"#) == "\(loop) \(loop)" else { return false }
      }
    }
    return true
  }

  /// The result, a string.
  private static func answer(_ caller: RawCaller, _ method: String, _ params: String = "[]") throws -> String {
    try caller.send(Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\(method)\",\"params\":\(params)}".utf8))
    let reply = try caller.readLine() ?? ""
    return reply.split(separator: "\"result\":\"").last.map { String($0.dropLast(2)) } ?? reply
  }

  @Test("when one user's tasks have used a slice of the loop's time, another user's tasks continue first")
  func slices() async throws {
    let handle = try LoopHandle()
    let (loud, quiet) = (LoopExecutor(handle, user: 1), LoopExecutor(handle, user: 2))
    let order = Order()
    let limits = Limits()
    let texts = try OffloadThreads(threads: 1)
    let parts = Connection.Parts(
      work: WorkQueue(), offloadThreads: texts, connections: Connections(), report: { _ in })
    try await withThrowingTaskGroup(of: Void.self) { group in
      // all tasks are queued before the loop runs
      for _ in 0..<10 {
        group.addTask(executorPreference: loud) {
          order.note(1)
          Self.spendSlice()
        }
      }
      group.addTask(executorPreference: quiet) { order.note(2) }
      let thread = try StartedThread(name: "loop", niceness: 0) {
        EventLoop(handle, nil, ServerRules.InForce(ServerRules(limits: limits, access: AccessRules())), parts).run()
      }
      try await group.waitForAll()
      handle.post(.order(.end))
      thread.join()
    }
    texts.stop()
    #expect(order.users == [1, 2] + Array(repeating: 1, count: 9))
  }

  /// The users whose tasks ran, in order.
  private final class Order: Sendable {
    private let noted = Mutex<[Int]>([])
    func note(_ user: Int) { noted.withLock { $0.append(user) } }
    var users: [Int] { noted.withLock { $0 } }
  }

  /// Spends a millisecond, the length of a slice.
  private static func spendSlice() {
    let begun = MonotonicInstant.now
    while MonotonicInstant.now.nanoseconds(since: begun) < 1_000_000 {}
  }
}
