import Dispatch
import Glibc
import RegdClient
import RegdProcesses
import Synchronization
import TestKit
import Testing

@testable import UnixSocket

/// One user takes as much as possible of a shared resource, and regd still answers another user. The bounds are counts
/// and orders.
@Suite("Fairness", .blocking, .timeLimit(.minutes(10)))
struct FairnessTests {
  private static let ping = #"{"jsonrpc":"2.0","id":7,"method":"rpc.ping"}"#
  private static let pong = #"{"jsonrpc":"2.0","id":7,"result":"pong"}"#
  private static let metrics = #"{"jsonrpc":"2.0","id":7,"method":"daemon.metrics"}"#
  private static let loud: UInt32 = 65_534
  private static let quiet: UInt32 = 65_533

  /// A regd that every user may connect to, and of which `quiet` may read the metrics.
  private func withOpenRegd(_ variables: [String: String] = [:], _ body: (RunningRegd) throws -> Void) throws {
    let open = [
      "REGD_STORE_BACKEND": "memory", "REGD_SOCKET_MODE": "0666", "REGD_ACCESS_ADMIN_UIDS": "\(getuid()),\(Self.quiet)",
    ]
    let settings = variables.merging(open) { mine, _ in mine }
    try withRegd(settings) { regd in
      chmod(regd.directory, 0o711)
      try body(regd)
    }
  }

  private static func validate(_ id: Int, _ text: String) -> String {
    "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"registration.validate\",\"params\":[\"\(text)@a.bc\",\"\(text)\",\"\(text)\"]}"
  }

  /// The number of validations that regd had answered when it answered this call of `daemon.metrics`. Counting the answers
  /// that have arrived would also count those that regd writes until this process reads its own answer.
  private static func validations(_ reply: String?) throws -> Int {
    let text = try #require(reply.flatMap { JSONValue($0.utf8)?["result"]?["text"]?.string })
    let series = #"regd_requests_total{method="registration.validate",reason="ok"} "#
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(series) })
    return try #require(Int(line.dropFirst(series.count)))
  }

  @Test(
    "event loop: while one user's work waits, regd answers another user's ping before most of it",
    .needsRoot,
    arguments: [String(repeating: "\u{FDFA}", count: 200), "x\u{E9}", "short"])
  func eventLoop(_ text: String) throws {
    try withOpenRegd { regd in
      let other = try RawCaller(regd.socket, as: Self.quiet)
      try other.send(Array(Self.ping.utf8))
      #expect(try other.readLine() == Self.pong)
      let batch = "[" + (0..<50).map { Self.validate($0, text) }.joined(separator: ",") + "]"
      let callers = try (0..<64).map { _ in try RawCaller(regd.socket, as: Self.loud) }
      // without this, regd would accept these connections after the other user's, independently of the slices
      for caller in callers {
        try caller.send(Array(Self.ping.utf8))
        #expect(try caller.readLine() == Self.pong)
      }
      // all input has arrived before regd processes any of it
      kill(regd.process.pid, SIGSTOP)
      for caller in callers { _ = caller.flood(Array(batch.utf8), at: 3) }
      try other.send(Array(Self.metrics.utf8))
      kill(regd.process.pid, SIGCONT)
      let answered = try Self.validations(other.readLine())
      #expect(answered < 32 * 50, "of 64 callers' 50 validations each, before the other user's call")
      for caller in callers { #expect(try caller.readLine()?.hasPrefix("[{") == true) }
    }
  }

  @Test(
    "accept queue: regd serves a user that connects behind 1000 connections of another user before most of them",
    .needsRoot, arguments: [1, 2])
  func queue(_ loops: Int) throws {
    try withOpenRegd(["REGD_SOCKET_LOOPS": "\(loops)"]) { regd in
      let text = String(repeating: "\u{FDFA}", count: 200)
      let batch = Array(("[" + (0..<50).map { Self.validate($0, text) }.joined(separator: ",") + "]").utf8)
      kill(regd.process.pid, SIGSTOP)
      let crowd = try (0..<1000).map { _ in try RawCaller(regd.socket, as: Self.loud) }
      for caller in crowd { _ = caller.flood(batch, at: 1) }
      let other = try RawCaller(regd.socket, as: Self.quiet)
      try other.send(Array(Self.metrics.utf8))
      kill(regd.process.pid, SIGCONT)
      let answered = try Self.validations(other.readLine())
      #expect(answered < 100 * 50, "of 1000 callers' 50 validations each, before the other user's call")
    }
  }

  @Test(
    "descriptors: one user's idle connections exclude no other, even with fewer descriptors than limits.connections",
    .needsRoot)
  func fewDescriptors() throws {
    let descriptors = Server.descriptors(loops: 1) + 42
    let settings = ["REGD_STORE_BACKEND": "memory", "REGD_SOCKET_MODE": "0666", "REGD_SOCKET_LOOPS": "1"]
    try withRegd(settings, startedBy: ["/usr/bin/prlimit", "--nofile=\(descriptors):\(descriptors)"]) { regd in
      chmod(regd.directory, 0o711)
      let crowd = try (0..<100).map { _ in try RawCaller(regd.socket, as: Self.loud) }
      let other = try RawCaller(regd.socket, as: Self.quiet)
      try other.send(Array(Self.ping.utf8))
      #expect(try other.readLine() == Self.pong)
      withExtendedLifetime(crowd) {}
    }
  }

  @Test(
    "queued bytes: a user still gets a long result while another user does not read",
    .needsRoot, arguments: [1, 2])
  func queuedBytes(_ loops: Int) throws {
    try withOpenRegd(["REGD_LIMITS_QUEUED_BYTES_PER_UID": "65536", "REGD_SOCKET_LOOPS": "\(loops)"]) { regd in
      let discover = #"{"jsonrpc":"2.0","id":7,"method":"rpc.discover"}"#
      let callers = try (0..<20).map { _ in try RawCaller(regd.socket, as: Self.loud) }
      for caller in callers { _ = caller.flood(Array(String(repeating: discover, count: 1000).utf8)) }
      let client = try regd.client()
      func queued() throws -> Int {
        let users = try client.call("daemon.status").get()["users"]?.array
        return users?.first { $0["uid"]?.integer == Int(Self.loud) }?["queuedBytes"]?.integer ?? 0
      }
      while try queued() < 65_536 {}
      let other = try RawCaller(regd.socket, as: Self.quiet)
      try other.send(Array(discover.utf8))
      #expect(try other.readLine()?.contains("\"result\"") == true)
    }
  }

  @Test("notifications: the queued notifications of 30 callers that never read stay within the limits")
  func notifications() throws {
    let settings = ["REGD_LIMITS_QUEUED_BYTES_PER_UID": "262144", "REGD_LIMITS_STALLED_SECONDS": "600"]
    try withOpenRegd(settings) { regd in
      let client = try regd.client()
      // many states, each longer than the request that changes it
      func batch(_ item: (Int) -> String) -> String { "[" + (1...64).map(item).joined(separator: ",") + "]" }
      func set(_ params: String) -> String {
        "{\"jsonrpc\":\"2.0\",\"method\":\"form.set\",\"params\":[\(params)]}"
      }
      let long = String(repeating: "\\n", count: 500)
      let opened = batch { _ in #"{"jsonrpc":"2.0","method":"form.open","params":["registration"]}"# }
      let filled = batch { set("\($0),\"\(long)\"") }
      let text = Array((opened + filled).utf8)
      let callers = try (0..<30).map { _ in try RawCaller(regd.socket) }
      for caller in callers { #expect(caller.flood(text, at: 1) == text.count) }
      let changes = ["x", ""].map { confirmation in
        Array(batch { set("\($0),null,null,\"\(confirmation)\"") }.utf8)
      }
      // regd keeps only the last state of a form that waits to be sent, so each caller continues until regd reads
      // nothing more
      var (round, queued, unread) = (0, 0, 0)
      while unread < 1000 || queued < 262_144 {
        let changed = changes[round % 2]
        round += 1
        let taken = callers.filter(\.isTaken)
        for caller in taken { #expect(caller.flood(changed, at: 1) == changed.count) }
        unread = taken.isEmpty ? unread + 1 : 0
        queued = try client.call("daemon.status").get()["users"]?.array?.first?["queuedBytes"]?.integer ?? 0
      }
      // the limit, the one reply that may exceed it, and for each caller its share and the one message that exceeds the
      // share
      #expect(queued < 262_144 + (1 << 20) + 30 * 24_576, "\(queued) bytes wait")
    }
  }

  @Test(
    "connections: a few users cannot take all, a new user gets some, and an administrator always gets one",
    .needsRoot, arguments: [1, 2])
  func connections(_ loops: Int) throws {
    try withOpenRegd(["REGD_LIMITS_CONNECTIONS": "40", "REGD_SOCKET_LOOPS": "\(loops)"]) { regd in
      /// Opens as many connections as the user can get.
      func take(_ uid: UInt32) throws -> [RawCaller] {
        var taken: [RawCaller] = []
        while taken.count < 40 {
          let caller = try RawCaller(regd.socket, as: uid)
          try caller.send(Array(Self.ping.utf8))
          guard try caller.readLine() == Self.pong else { break }
          taken.append(caller)
        }
        return taken
      }
      let crowd = try (UInt32(60_001)...60_004).map { try take($0) }
      #expect(crowd[0].count > 10 && crowd[0].count < 16)
      #expect(crowd.allSatisfy { $0.count >= 4 }, "\(crowd.map(\.count))")
      let late = try take(60_005)
      #expect(late.count >= 1, "\(crowd.map(\.count))")
      // until the connections for non-administrators are used up
      _ = try (UInt32(60_006)...60_010).map { try take($0) }
      #expect(try regd.client().call("rpc.ping") == .success("pong"))
    }
  }

  @Test("work queue: one job of another user begins before all but a few of 1000 jobs")
  func work() async {
    let queue = WorkQueue()
    let begun = Mutex<[UInt32]>([])
    for _ in 0..<1000 { queue.submit({ begun.withLock { $0.append(1) } }, of: 1) }
    queue.submit({ begun.withLock { $0.append(2) } }, of: 2)
    queue.close(by: .now + .seconds(3600))
    await queue.run()
    let order = begun.withLock { $0 }
    #expect(order.count == 1001)
    #expect((order.firstIndex(of: 2) ?? 1001) < 20)
  }

  @Test("the items of a batch take turns with 1000 jobs of another user instead of waiting behind all of them")
  func turnsOfBatch() async {
    let inOrder = InOrder()
    let queue = WorkQueue { await inOrder.standBack() }
    let begun = Mutex<[UInt32]>([])
    queue.submit(
      {
        for _ in 0..<10 {
          await queue.turn(of: 1)
          begun.withLock { $0.append(1) }
        }
        queue.close(by: .now + .seconds(3600))
      }, of: 1, on: inOrder)
    for _ in 0..<1000 { queue.submit({ begun.withLock { $0.append(2) } }, of: 2, on: inOrder) }
    await withTaskExecutorPreference(inOrder) { await queue.run() }
    // after the end no item waits for a turn that never comes
    await queue.turn(of: 1)
    let order = begun.withLock { $0 }
    #expect(order.count { $0 == 1 } == 10 && order.count { $0 == 2 } == 1000)
    // a job of the other user runs before each turn
    #expect(order.lastIndex(of: 1) == 19)
  }
}

/// A single thread that runs jobs in the order in which they became ready. `Task.yield` would switch to Swift's pool.
private final class InOrder: TaskExecutor {
  private let queue = DispatchQueue(label: "in order")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  func standBack() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }
}
