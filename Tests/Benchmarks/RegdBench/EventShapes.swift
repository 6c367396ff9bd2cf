internal import Linux
internal import RegdClient
internal import RegdProcesses
internal import Synchronization
internal import WorkerThreads

/// `regd-bench events`: changes per second with 0, 1, 50 and 500 subscribers of `events.subscribe`, of which every
/// second one never reads. Uses SQLite. Each caller disables and enables its own account, and waits for each answer.
///
/// The subscribers that read run in this process, on the same cores. So a ratio below 1 has two causes: regd's work for
/// subscribers between a commit and its answer, and the processor time of all subscribers.
enum EventShapes {
  private static let subscribers = [0, 1, 50, 500]
  private static let callers = 16

  static func measure(_ products: String) throws {
    print(
      "changes a second of \(callers) callers, by subscribers of events (every second never reads);"
        + " medians of \(RegdBench.rounds) rounds")
    var rates: [[Double]] = subscribers.map { _ in [] }
    try TemporaryDirectory.with { directory in
      let store = ["REGD_STORE_BACKEND": "sqlite", "REGD_STORE_SQLITE_PATH": "\(directory)/regd.db"]
      let regds = try StoreShapes.start(products, [store], ["\(directory)/s"], directory)
      defer { for regd in regds { regd.end() } }
      // in turn, so that drift of the machine affects all counts
      for _ in 0..<RegdBench.rounds {
        for (index, count) in subscribers.enumerated() {
          rates[index].append(try rate("\(directory)/s", count))
        }
      }
    }
    for (count, values) in zip(subscribers, rates) {
      let ratio = RegdBench.median(zip(values, rates[0]).map { $0 / $1 })
      print(
        "  \(count) subscribers: \(RegdBench.decimal(RegdBench.median(values), 0)), \(RegdBench.decimal(ratio, 2)) of none"
      )
    }
  }

  private static func rate(_ socket: String, _ count: Int) throws -> Double {
    let subscribers = try (0..<count).map { _ in try Subscriber(socket) }
    let readers = subscribers.enumerated().filter { $0.offset % 2 == 0 }.map { $0.element.socket }
    return try withExtendedLifetime(subscribers) { try reading(readers) { try changes(socket) } }
  }

  /// Reads the subscribers' events while `body` runs.
  private static func reading(_ readers: [Int32], _ body: () throws -> Double) throws -> Double {
    let (thread, stop) = (try WorkerThreads(name: "readers", count: 1), Stop())
    thread.submit {
      while !stop.isRaised, !readers.isEmpty {
        let ready = Polling.wait(for: readers.map { .readable($0) }, atMost: .milliseconds(50))
        for (reader, isReady) in zip(readers, ready) where isReady {
          _ = try? Descriptor(borrowing: reader).receive(atMost: 65_536, waits: false)
        }
      }
    }
    defer {
      stop.raise()
      thread.stop()
    }
    return try body()
  }

  private static func changes(_ socket: String) throws -> Double {
    let threads = try WorkerThreads(name: "bench", count: callers)
    let counter = Load.Counter()
    let start = ContinuousClock.now + .seconds(1)
    let end = start + .seconds(3)
    for _ in 0..<callers {
      threads.submit {
        do {
          let client = try RegdClient(path: socket)
          let own = JSONValue.string("c\(UInt64.random(in: 0...UInt64.max))@example.com")
          let record: JSONValue = ["email": own, "passwordHash": .string(StoreShapes.hash)]
          _ = try client.call("account.import", ["records": .array([record])]).get()
          var isEnabled = true
          while ContinuousClock.now < end {
            isEnabled.toggle()
            _ = try client.call(isEnabled ? "account.enable" : "account.disable", ["email": own]).get()
            let now = ContinuousClock.now
            if now >= start, now < end { counter.count() }
          }
        } catch {
          counter.fail("\(error)")
        }
      }
    }
    threads.stop()
    if let failure = counter.failure { throw Load.Failed(description: failure) }
    return Double(counter.total) / 3
  }
}

/// A connection that has subscribed.
private final class Subscriber: Sendable {
  let socket: Int32

  init(_ path: String) throws {
    let socket = try Descriptor.socket(.localStream)
    try socket.connect(to: SocketAddress(path: path))
    try socket.sendAll(Array(#"{"jsonrpc":"2.0","id":1,"method":"events.subscribe"}"#.utf8) + [UInt8(ascii: "\n")])
    let answer = String(decoding: try socket.receive(atMost: 4096), as: UTF8.self)
    guard answer.contains(#""result""#) else { throw Load.Failed(description: "not subscribed: \(answer)") }
    self.socket = socket.release()
  }

  deinit { try? Descriptor(owning: socket).close() }
}

/// A flag that is raised once.
private final class Stop: Sendable {
  private let flag = Atomic(false)

  var isRaised: Bool { flag.load(ordering: .relaxed) }

  func raise() { flag.store(true, ordering: .relaxed) }
}
