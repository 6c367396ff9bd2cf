/// A value that matters less with time, and not at all from `ends` on.
protocol Fading: Sendable {
  /// From this moment on the value does not matter, and need not be kept.
  var ends: Moment { get }
}

/// Keeps at most `capacity` values. To make room, it removes the values that no longer matter, and then the value that
/// ends first. An attacker who wants to push out a count of many failures therefore needs as many failures in every
/// other entry.
struct FadingTable<Key: Hashable & Sendable, Value: Fading>: Sendable {
  private let capacity: Int
  private var table = RankedTable<Key, Value>()

  /// - Parameter capacity: At least 1.
  init(capacity: Int) { self.capacity = max(1, capacity) }

  subscript(key: Key) -> Value? { table[key] }

  /// Keeps a value, unless it no longer matters, or the table is full of values that matter longer.
  mutating func set(_ key: Key, _ value: Value, at now: Moment) {
    table.set(key, value, rank: value.ends)
    while let first = table.first, first.rank <= now || table.count > capacity { table.remove(first.key) }
  }

  mutating func remove(_ key: Key) { table.remove(key) }

  /// Removes the values of all matching keys. Visits every key.
  mutating func removeAll(where isMeant: (Key) -> Bool) {
    for key in table.keys.filter(isMeant) { table.remove(key) }
  }

  var count: Int { table.count }
}
