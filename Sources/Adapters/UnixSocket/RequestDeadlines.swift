internal import NIOCore

/// When the requests of one connection have taken as long as they may: all as long as one another, so that they are a
/// queue, and one timer serves them.
struct RequestDeadlines {
  private let allowed: TimeAmount
  private var queue: [(number: Int, end: NIODeadline)] = []

  init(_ allowed: TimeAmount) { self.allowed = allowed }

  /// The next one to be looked at.
  var next: NIODeadline? { queue.first?.end }

  /// - Returns: Whether nobody waits for the next one yet.
  mutating func add(_ number: Int, at now: NIODeadline) -> Bool {
    queue.append((number, now + allowed))
    return queue.count == 1
  }

  /// Those whose time is over; they are not said again.
  mutating func expired(at now: NIODeadline) -> [Int] {
    let count = queue.firstIndex { $0.end > now } ?? queue.count
    defer { queue.removeFirst(count) }
    return queue[..<count].map(\.number)
  }

  /// Lets go of those that have ended, now and then: but of the first, which a timer waits for.
  ///
  /// - Parameter inFlight: How many have not ended.
  mutating func forget(besides inFlight: Int, _ isInFlight: (Int) -> Bool) {
    guard queue.count > 2 * inFlight + 64, let first = queue.first else { return }
    queue = [first] + queue.dropFirst().filter { isInFlight($0.number) }
  }
}
