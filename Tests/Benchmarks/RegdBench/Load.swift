internal import RegdClient
internal import Synchronization
internal import WorkerThreads

/// Callers that send the next request as soon as they have an answer.
enum Load {
  /// Registers new addresses over several connections at once, while `meanwhile` runs.
  ///
  /// - Returns: Acknowledged registrations per second, without the first second.
  static func register(
    _ socket: String, connections: Int, for duration: Duration, _ meanwhile: () throws -> Void
  ) throws -> Double {
    let threads = try WorkerThreads(name: "bench", count: connections)
    let counter = Counter()
    let start = ContinuousClock.now + .seconds(1)
    let run = UInt64.random(in: 0...UInt64.max)
    for connection in 0..<connections {
      threads.submit {
        do {
          let client = try RegdClient(path: socket)
          var number = 0
          while ContinuousClock.now < start + duration {
            number += 1
            let entry = RegdClient.entry(
              email: "b\(run)-\(connection)-\(number)@example.com", password: "a fine phrase",
              confirmation: "a fine phrase")
            _ = try client.call("registration.register", entry).get()
            let now = ContinuousClock.now
            if now >= start, now < start + duration { counter.count() }
          }
        } catch {
          counter.fail("\(error)")
        }
      }
    }
    try meanwhile()
    threads.stop()
    if let failure = counter.failure { throw Failed(description: failure) }
    return Double(counter.total) / duration.seconds
  }

  /// Calls `registration.validate`, one call at a time.
  static func validate(_ socket: String, for duration: Duration) throws -> Latencies {
    let client = try RegdClient(path: socket)
    let entry = RegdClient.entry(email: "name@example.com", password: "a fine phrase", confirmation: "a fine phrase")
    var latencies = Latencies()
    let end = ContinuousClock.now + duration
    while true {
      let start = ContinuousClock.now
      _ = try client.call("registration.validate", entry).get()
      let now = ContinuousClock.now
      latencies.add((now - start).seconds * 1e6)
      if now >= end { return latencies }
    }
  }

  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  final class Counter: Sendable {
    private let state = Mutex<(total: Int, failure: String?)>((0, nil))
    func count() { state.withLock { $0.total += 1 } }
    func fail(_ reason: String) { state.withLock { $0.failure = reason } }
    var total: Int { state.withLock { $0.total } }
    var failure: String? { state.withLock { $0.failure } }
  }
}

/// A collection of latencies in microseconds.
struct Latencies {
  private var values: [Double] = []

  mutating func add(_ microseconds: Double) { values.append(microseconds) }

  /// The value that `percent` of all values do not exceed, or 0 if there are no values.
  func percentile(_ percent: Int) -> Double {
    values.isEmpty ? 0 : values.sorted()[min(values.count - 1, values.count * percent / 100)]
  }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
