/// Who comes most often among more than are counted (A. Metwally, D. Agrawal, A. El Abbadi: "Efficient Computation of Frequent and Top-k
/// Elements in Data Streams", 2005). A new name takes the place of the least frequent one, with its count: whoever comes more often than
/// all divided by `capacity` is always among them, however many come once.
struct FrequentNames: Equatable, Sendable {
  struct Entry: Equatable, Sendable {
    let name: String
    /// So often it has come at the most.
    let count: Int
  }

  private struct Count: Equatable {
    /// So often the name has come at the most.
    var most: Int
    /// The part of these that may have been of the names whose place it took.
    let inherited: Int

    /// So often it has come at the least.
    var certain: Int { most - inherited }
  }

  /// Names that are counted at once.
  static let capacity = 64

  private var counts: [String: Count] = [:]

  /// - Returns: So often the name has come at the least: 1 for one that is not counted yet.
  mutating func add(_ name: String) -> Int {
    var count = counts[name] ?? Count(most: 0, inherited: 0)
    if counts[name] == nil, counts.count >= Self.capacity,
      let least = counts.min(by: { $0.value.most < $1.value.most })
    {
      counts[least.key] = nil
      count = Count(most: least.value.most, inherited: least.value.most)
    }
    count.most += 1
    counts[name] = count
    return count.certain
  }

  /// The names that have come most often, and certainly more often than `bound`.
  func most(_ number: Int, over bound: Int) -> [Entry] {
    counts.filter { $0.value.certain > bound }.sorted { ($1.value.most, $0.key) < ($0.value.most, $1.key) }
      .prefix(number).map { Entry(name: $0.key, count: $0.value.most) }
  }
}
