/// Finds the most frequent among more names than it can hold (A. Metwally, D. Agrawal, A. El Abbadi: "Efficient Computation of
/// Frequent and Top-k Elements in Data Streams", 2005). A new name replaces the least frequent one and inherits its count. So a
/// name with more than 1/`capacity` of all occurrences is always held, however many names occur once.
struct FrequentNames: Equatable, Sendable {
  struct Entry: Equatable, Sendable {
    let name: String
    /// An upper bound of the name's occurrences.
    let count: Int
  }

  private struct Count: Equatable {
    /// An upper bound of the name's occurrences.
    var most: Int
    /// The part of `most` that may belong to names that this one replaced.
    let inherited: Int

    /// The occurrences that the name certainly has.
    var certain: Int { most - inherited }
  }

  /// How many names are counted at once.
  static let capacity = 64

  private var counts: [String: Count] = [:]

  /// - Returns: A lower bound of the name's occurrences, including this one.
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

  /// The most frequent names among those that certainly occurred more often than `bound`.
  func most(_ number: Int, over bound: Int) -> [Entry] {
    counts.filter { $0.value.certain > bound }.sorted { ($1.value.most, $0.key) < ($0.value.most, $1.key) }
      .prefix(number).map { Entry(name: $0.key, count: $0.value.most) }
  }
}
