/// Keeps at most so many values, those last written: a table of the young and one of the old.
///
/// What is written goes to the young. When they are half of what may be kept, they become the old, and the old are let
/// go, all at once and without a walk; so the half that was written last is always there. Plain values only: a table of
/// them is freed as one piece of memory.
struct RecentTable<Key: Hashable & Sendable, Value: BitwiseCopyable & Sendable>: Sendable {
  private let half: Int
  private var young: [Key: Value] = [:]
  private var old: [Key: Value] = [:]

  /// - Parameter capacity: At least 2.
  init(capacity: Int) { half = max(1, capacity / 2) }

  /// Nil where there is none, or none any more. To set is to keep it for longer.
  subscript(key: Key) -> Value? {
    get { young[key] ?? old[key] }
    set {
      old[key] = nil
      young[key] = newValue
      guard young.count >= half else { return }
      old = young
      young = [:]
    }
  }

  /// Looks at every key.
  mutating func removeAll(where isMeant: (Key) -> Bool) {
    for key in young.keys.filter(isMeant) { young[key] = nil }
    for key in old.keys.filter(isMeant) { old[key] = nil }
  }

  var count: Int { young.count + old.count }
}
