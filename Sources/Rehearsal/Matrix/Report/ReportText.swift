/// Makes a daemon's text safe to show.
enum VisibleText {
  /// Replaces characters that control a terminal, change the direction of surrounding text, or are not allowed in a page. Keeps
  /// line ends. Replaces control characters by their pictures (␛).
  static func of(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { replacement(for: $0) != nil }) else { return text }
    var visible = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { visible.append(replacement(for: scalar) ?? scalar) }
    return String(visible)
  }

  /// The text made safe, and on one line.
  static func line(_ text: String) -> String {
    let words = of(text).split(whereSeparator: { $0.isNewline || $0 == "\t" || $0 == " " })
    return words.joined(separator: " ")
  }

  private static func replacement(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x0A, 0x20..<0x7F: nil
    case 0x09: " "
    case 0x00..<0x20: Unicode.Scalar(0x2400 + scalar.value)
    case 0x7F: "\u{2421}"
    // C1 controls, line and paragraph separators, and marks, embeddings, overrides and isolates of direction
    case 0x80..<0xA0, 0x2028...0x2029, 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: "\u{FFFD}"
    // noncharacters, which HTML does not allow
    case 0xFDD0...0xFDEF: "\u{FFFD}"
    case let value where value & 0xFFFE == 0xFFFE: "\u{FFFD}"
    default: nil
    }
  }
}

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
