/// The languages that a person reads, preferred ones first: a list as in `Accept-Language` (RFC 9110 section 12.5.4).
struct LanguageRanges {
  /// The longest list that is read, in bytes.
  static let mostBytes = 255

  /// Sorted by weight, then by position.
  private(set) var wanted: [LanguageTag] = []
  /// The languages with weight 0.
  private(set) var refused: Set<LanguageTag> = []

  /// - Parameter text: Malformed entries are skipped. So is `*`, because it prefers no language, and the caller decides which
  ///   language to use if none was asked for (RFC 4647 section 3.4). A list longer than `mostBytes` counts as empty.
  init(_ text: String) {
    guard text.utf8.count <= Self.mostBytes else { return }
    var weighted: [(tag: LanguageTag, weight: Int)] = []
    for entry in text.split(separator: ",") {
      let parts = entry.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
      guard parts.count <= 2, let tag = Self.tag(parts[0]) else { continue }
      guard let weight = parts.count == 1 ? 1000 : Self.weight(parts[1]) else { continue }
      if weight > 0 { weighted.append((tag, weight)) } else { refused.insert(tag) }
    }
    // the order of equal elements is kept explicitly, because sort(by:) does not guarantee it
    wanted = weighted.enumerated().sorted {
      ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset)
    }.map(\.element.tag)
  }

  /// A range as a tag: wildcards after the first subtag are dropped (RFC 4647 section 3.2).
  private static func tag(_ range: Substring) -> LanguageTag? {
    guard range.utf8.contains(UInt8(ascii: "*")) else { return LanguageTag(range) }
    let subtags = range.split(separator: "-", omittingEmptySubsequences: false)
    return subtags[0] == "*" ? nil : LanguageTag(subtags.filter { $0 != "*" }.joined(separator: "-"))
  }

  /// The weight in thousandths: `q=0.8` with up to three digits after the point (RFC 9110 section 12.4.2).
  private static func weight(_ text: Substring) -> Int? {
    let bytes = Array(text.utf8)
    guard (3...7).contains(bytes.count), bytes[0] | 0x20 == UInt8(ascii: "q"), bytes[1] == UInt8(ascii: "="),
      bytes.count == 3 || bytes[3] == UInt8(ascii: ".")
    else { return nil }
    var weight = 0
    for place in [2, 4, 5, 6] {
      let digit = place < bytes.count ? bytes[place] &- UInt8(ascii: "0") : 0
      guard digit < 10 else { return nil }
      weight = weight * 10 + Int(digit)
    }
    return weight <= 1000 ? weight : nil
  }

  /// The text without leading and trailing spaces and tabs.
  private static func trimmed(_ text: Substring) -> Substring {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    guard let last = text.lastIndex(where: { !isSpace($0) }) else { return "" }
    return text[...last].drop(while: isSpace)
  }
}
