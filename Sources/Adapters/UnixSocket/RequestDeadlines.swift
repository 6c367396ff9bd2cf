internal import NIOCore

/// The deadlines of one connection's requests. All requests may take equally long, so that the deadlines are a queue and
/// need one timer.
struct RequestDeadlines {
  private let allowed: TimeAmount
  private var queue: [(number: Int, end: NIODeadline)] = []

  init(_ allowed: TimeAmount) { self.allowed = allowed }

  var next: NIODeadline? { queue.first?.end }

  /// - Returns: Whether the caller is to start the timer.
  mutating func add(_ number: Int, at now: NIODeadline) -> Bool {
    queue.append((number, now + allowed))
    return queue.count == 1
  }

  /// Takes out the requests whose deadline has passed.
  mutating func expired(at now: NIODeadline) -> [Int] {
    let count = queue.firstIndex { $0.end > now } ?? queue.count
    defer { queue.removeFirst(count) }
    return queue[..<count].map(\.number)
  }

  /// Drops those that have ended, once they are many; the first stays, because the timer waits for it.
  ///
  /// - Parameter inFlight: How many have not ended.
  mutating func forget(besides inFlight: Int, _ isInFlight: (Int) -> Bool) {
    guard queue.count > 2 * inFlight + 64, let first = queue.first else { return }
    queue = [first] + queue.dropFirst().filter { isInFlight($0.number) }
  }
}
