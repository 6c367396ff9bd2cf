internal import Linux

/// The deadlines of one connection's requests, in their order: one timer is enough, for the first.
struct RequestDeadlines {
  private struct Entry {
    let number: Int
    let allowed: Duration
    let end: MonotonicInstant
  }

  /// How long a request may take that begins now.
  var allowed: Duration
  private var queue: [Entry] = []

  init(_ allowed: Duration) { self.allowed = allowed }

  var next: MonotonicInstant? { queue.first?.end }

  /// - Returns: Whether the caller is to start the timer, in place of one that runs.
  mutating func add(_ number: Int, at now: MonotonicInstant) -> Bool {
    let entry = Entry(number: number, allowed: allowed, end: now + allowed)
    // mostly the last: all may take equally long but for those of before a reload
    let place = (queue.lastIndex { $0.end <= entry.end } ?? -1) + 1
    queue.insert(entry, at: place)
    return place == 0
  }

  /// Takes out the requests whose deadline has passed, with how long they were allowed to take.
  mutating func expired(at now: MonotonicInstant) -> [(number: Int, allowed: Duration)] {
    let count = queue.firstIndex { $0.end > now } ?? queue.count
    defer { queue.removeFirst(count) }
    return queue[..<count].map { ($0.number, $0.allowed) }
  }

  /// Drops those that have ended, once they are many; the first stays, because the timer waits for it.
  ///
  /// - Parameter inFlight: How many have not ended.
  mutating func forget(besides inFlight: Int, _ isInFlight: (Int) -> Bool) {
    guard queue.count > 2 * inFlight + 64, let first = queue.first else { return }
    queue = [first] + queue.dropFirst().filter { isInFlight($0.number) }
  }
}
