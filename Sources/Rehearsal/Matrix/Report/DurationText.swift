/// Durations for readers, with few digits.
enum DurationText {
  /// "0 ms", "412 ms", "1.2 s", "41 s", "3 min 07 s".
  static func of(_ duration: Duration) -> String {
    let (seconds, attoseconds) = max(duration, .zero).components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    switch milliseconds {
    case ..<1000: return "\(milliseconds) ms"
    case ..<10_000: return "\(milliseconds / 1000).\(milliseconds % 1000 / 100) s"
    case ..<60_000: return "\(milliseconds / 1000) s"
    default:
      let rest = seconds % 60
      return "\(seconds / 60) min \(rest < 10 ? "0" : "")\(rest) s"
    }
  }

  /// The shortest and the longest: "120 ms", "80–412 ms", "412 ms – 1.2 s". Returns nil if there is no duration.
  static func range(_ durations: [Duration]) -> String? {
    guard let shortest = durations.min().map(of), let longest = durations.max().map(of) else { return nil }
    if shortest == longest { return longest }
    let (a, b) = (shortest.split(separator: " "), longest.split(separator: " "))
    return a.count == 2 && b.count == 2 && a[1] == b[1] ? "\(a[0])–\(longest)" : "\(shortest) – \(longest)"
  }
}
