/// Remembers the users, or the addresses, for which the upstream has worked recently and has not failed since.
struct RecentSuccesses<Key: Hashable & Sendable>: Sendable {
  /// How long a success counts in favour of the upstream.
  static var validity: Duration { .seconds(10) }

  private let capacity: Int
  private var successes: [Key: ContinuousClock.Instant] = [:]

  /// - Parameter capacity: The most keys that are remembered. Beyond that the oldest is forgotten.
  init(capacity: Int) { self.capacity = capacity }

  mutating func succeeded(_ key: Key, at now: ContinuousClock.Instant) {
    if successes[key] == nil, successes.count >= capacity {
      successes = successes.filter { Self.isValid($0.value, at: now) }
      if successes.count >= capacity, let oldest = successes.min(by: { $0.value < $1.value }) {
        successes[oldest.key] = nil
      }
    }
    successes[key] = now
  }

  mutating func failed(_ key: Key) { successes[key] = nil }

  /// Whether any success is still valid. Takes time in proportion to the number of successes.
  func areAny(at now: ContinuousClock.Instant) -> Bool {
    successes.values.contains { Self.isValid($0, at: now) }
  }

  private static func isValid(_ success: ContinuousClock.Instant, at now: ContinuousClock.Instant) -> Bool {
    now - success <= validity
  }
}
