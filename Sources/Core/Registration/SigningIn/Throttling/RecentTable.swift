/// Keeps the values that were written last, at most `capacity`, in a young and an old table.
///
/// Writes go to the young table. When it has half of the capacity, it becomes the old table, and the previous old table
/// is released. So the values that were written last, half of the capacity, are always present. Values are plain bits,
/// so that releasing a table visits no value.
struct RecentTable<Key: Hashable & Sendable, Value: BitwiseCopyable & Sendable>: Sendable {
  private let half: Int
  private var young: [Key: Value] = [:]
  private var old: [Key: Value] = [:]

  /// - Parameter capacity: At least 2.
  init(capacity: Int) { half = max(1, capacity / 2) }

  /// The value, or nil if the key was never set, or is gone. Setting a value keeps it for longer.
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

  var count: Int { young.count + old.count }
}
