/// A table that finds the value with the lowest rank at once. It has a heap of rows, and an index of each key's row.
struct RankedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Row {
    let key: Key
    var value: Value
    var rank: Int64
  }

  private var rows: [Row] = []
  private var indexes: [Key: Int] = [:]

  var count: Int { rows.count }

  var keys: some Sequence<Key> { indexes.keys }

  /// A key with the lowest rank.
  var first: (key: Key, rank: Int64)? { rows.first.map { ($0.key, $0.rank) } }

  subscript(key: Key) -> Value? { indexes[key].map { rows[$0].value } }

  func rank(_ key: Key) -> Int64? { indexes[key].map { rows[$0].rank } }

  mutating func set(_ key: Key, _ value: Value, rank: Int64) {
    if let index = indexes[key] {
      rows[index].value = value
      move(index, to: rank)
    } else {
      indexes[key] = rows.count
      rows.append(Row(key: key, value: value, rank: rank))
      rise(rows.count - 1)
    }
  }

  /// Changes the value of a key in place. Does nothing if the key has no value.
  ///
  /// - Parameter body: Returns the new rank.
  mutating func change(_ key: Key, _ body: (inout Value) -> Int64) {
    guard let index = indexes[key] else { return }
    let rank = body(&rows[index].value)
    move(index, to: rank)
  }

  mutating func remove(_ key: Key) {
    guard let index = indexes.removeValue(forKey: key) else { return }
    let last = rows.removeLast()
    guard index < rows.count else { return }
    let rank = rows[index].rank
    rows[index] = last
    indexes[last.key] = index
    if last.rank < rank { rise(index) } else { sink(index) }
  }

  private mutating func move(_ index: Int, to rank: Int64) {
    let isLower = rank < rows[index].rank
    rows[index].rank = rank
    if isLower { rise(index) } else { sink(index) }
  }

  private mutating func rise(_ start: Int) {
    var index = start
    while index > 0, rows[index].rank < rows[(index - 1) / 2].rank {
      exchange(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func sink(_ start: Int) {
    var index = start
    while true {
      var least = index
      for child in 2 * index + 1...2 * index + 2 where child < rows.count && rows[child].rank < rows[least].rank {
        least = child
      }
      guard least != index else { return }
      exchange(index, least)
      index = least
    }
  }

  private mutating func exchange(_ one: Int, _ other: Int) {
    rows.swapAt(one, other)
    indexes[rows[one].key] = one
    indexes[rows[other].key] = other
  }
}

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
