/// Who comes most often among more than are counted (A. Metwally, D. Agrawal, A. El Abbadi: "Efficient Computation of Frequent and Top-k
/// Elements in Data Streams", 2005). A new name takes the place of the least frequent one, with its count: whoever comes more often than
/// all divided by `capacity` is always among them, however many come once.
struct FrequentNames: Equatable, Sendable {
  struct Entry: Equatable, Sendable {
    let name: String
    /// So often it has come at the most.
    let count: Int
  }

  /// Names that are counted at once.
  static let capacity = 64

  private var counts: [String: Int] = [:]

  /// - Returns: So often the name has come at the most.
  mutating func add(_ name: String) -> Int {
    var count = counts[name] ?? 0
    if counts[name] == nil, counts.count >= Self.capacity, let least = counts.min(by: { $0.value < $1.value }) {
      counts[least.key] = nil
      count = least.value
    }
    counts[name] = count + 1
    return count + 1
  }

  /// The names that have come most often, and more often than `bound`.
  func most(_ number: Int, over bound: Int) -> [Entry] {
    counts.filter { $0.value > bound }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(number)
      .map { Entry(name: $0.key, count: $0.value) }
  }
}
