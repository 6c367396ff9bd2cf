internal import Linux

/// The deadlines of one connection's requests, the earliest first, so that one timer is enough.
struct RequestDeadlines {
  private struct Entry {
    let number: Int
    let allowed: Duration
    let end: MonotonicInstant
  }

  /// How long a request may take if it begins now.
  var allowed: Duration
  private var queue: [Entry] = []

  init(_ allowed: Duration) { self.allowed = allowed }

  var next: MonotonicInstant? { queue.first?.end }

  /// - Returns: Whether the connection must set its timer anew, because this deadline is now the first.
  mutating func add(_ number: Int, at now: MonotonicInstant) -> Bool {
    let entry = Entry(number: number, allowed: allowed, end: now + allowed)
    // usually at the end, because all requests have the same time limit, except those from before a reload
    let place = (queue.lastIndex { $0.end <= entry.end } ?? -1) + 1
    queue.insert(entry, at: place)
    return place == 0
  }

  /// Removes the requests whose deadline has passed, and returns them with the time that each was allowed.
  mutating func expired(at now: MonotonicInstant) -> [(number: Int, allowed: Duration)] {
    let count = queue.firstIndex { $0.end > now } ?? queue.count
    defer { queue.removeFirst(count) }
    return queue[..<count].map { ($0.number, $0.allowed) }
  }

  /// Drops the deadline of a request that has its answer. The connection's timer may still be set to that deadline, but
  /// then finds nothing expired.
  mutating func end(_ number: Int) {
    if let index = queue.firstIndex(where: { $0.number == number }) { queue.remove(at: index) }
  }
}
