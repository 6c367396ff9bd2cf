/// Something that is worth less with time, and nothing at last.
protocol Fading: Sendable {
  /// From when on it is worth nothing.
  var ends: Moment { get }
}

/// Keeps at most so many values. What is worth nothing any more goes by itself, and where that is not enough, what is the
/// nearest to it: to push out many failures takes as many for each of the others.
struct FadingTable<Key: Hashable & Sendable, Value: Fading>: Sendable {
  private let capacity: Int
  private var table = RankedTable<Key, Value>()

  /// - Parameter capacity: At least 1.
  init(capacity: Int) { self.capacity = max(1, capacity) }

  subscript(key: Key) -> Value? { table[key] }

  /// Keeps a value, unless it is worth nothing, or less than each of those that there is room for.
  mutating func set(_ key: Key, _ value: Value, at now: Moment) {
    table.set(key, value, rank: value.ends)
    while let first = table.first, first.rank <= now || table.count > capacity { table.remove(first.key) }
  }

  mutating func remove(_ key: Key) { table.remove(key) }

  /// Looks at every key.
  mutating func removeAll(where isMeant: (Key) -> Bool) {
    for key in table.keys.filter(isMeant) { table.remove(key) }
  }

  var count: Int { table.count }
}
