/// The languages that a person reads, dearest first: a list as `Accept-Language` has it (RFC 9110 section 12.5.4).
struct LanguageRanges {
  /// The longest list that is looked at.
  static let mostBytes = 255

  /// By weight, then by place.
  private(set) var wanted: [LanguageTag] = []
  /// Those of weight 0.
  private(set) var refused: Set<LanguageTag> = []

  /// - Parameter text: An entry that has another shape is passed over. So is `*`: it asks for no language rather than another, and what is
  ///   said where none was asked for is the caller's to decide (RFC 4647 section 3.4). A longer list than `mostBytes` counts as none.
  init(_ text: String) {
    guard text.utf8.count <= Self.mostBytes else { return }
    var weighted: [(tag: LanguageTag, weight: Int)] = []
    for entry in text.split(separator: ",") {
      let parts = entry.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
      guard parts.count <= 2, let tag = Self.tag(parts[0]) else { continue }
      guard let weight = parts.count == 1 ? 1000 : Self.weight(parts[1]) else { continue }
      if weight > 0 { weighted.append((tag, weight)) } else { refused.insert(tag) }
    }
    // sort(by:) keeps no order among equals by contract
    wanted = weighted.enumerated().sorted {
      ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset)
    }.map(\.element.tag)
  }

  /// A range as a tag: wildcards behind the first subtag are left out (RFC 4647 section 3.2).
  private static func tag(_ range: Substring) -> LanguageTag? {
    guard range.utf8.contains(UInt8(ascii: "*")) else { return LanguageTag(range) }
    let subtags = range.split(separator: "-", omittingEmptySubsequences: false)
    return subtags[0] == "*" ? nil : LanguageTag(subtags.filter { $0 != "*" }.joined(separator: "-"))
  }

  /// In thousandths: `q=0.8` with up to three digits behind the point (RFC 9110 section 12.4.2).
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

  /// Without the spaces and tabs around it.
  private static func trimmed(_ text: Substring) -> Substring {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    guard let last = text.lastIndex(where: { !isSpace($0) }) else { return "" }
    return text[...last].drop(while: isSpace)
  }
}
