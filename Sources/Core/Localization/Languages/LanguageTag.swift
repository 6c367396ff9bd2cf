/// The tag of a language (BCP 47, RFC 5646), in the letter case that section 2.1.1 recommends: `zh-Hant-TW`.
package struct LanguageTag: Hashable, Sendable, CustomStringConvertible {
  package let subtags: [String]

  /// - Parameter text: Subtags of 1 to 8 ASCII letters or digits, separated by hyphens, of at most 35 characters (RFC
  ///   5646 section 4.4.1). The first one has 2 to 8 letters only. Any other text gives nil.
  package init?(_ text: some StringProtocol) {
    let subtags = text.split(separator: "-", omittingEmptySubsequences: false)
    guard text.utf8.count <= 35, let first = subtags.first, (2...8).contains(first.utf8.count),
      first.utf8.allSatisfy(Self.isLetter),
      subtags.allSatisfy({
        (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy { Self.isLetter($0) || $0 &- 0x30 < 10 }
      })
    else { return nil }
    self.subtags = subtags.enumerated().map { place, subtag in
      switch (place, subtag.utf8.count) {
      case (0, _): subtag.lowercased()
      case (_, 4) where subtag.utf8.allSatisfy(Self.isLetter):
        subtag.prefix(1).uppercased() + subtag.dropFirst().lowercased()
      case (_, 2): subtag.uppercased()
      default: subtag.lowercased()
      }
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

  private init(subtags: [String]) { self.subtags = subtags }

  /// The subtag of the language, for example `zh` of `zh-Hant-TW`.
  package var primary: String { subtags[0] }

  package var description: String { subtags.joined(separator: "-") }

  /// The tag without its last subtag, and without a single-character subtag that would then be last (RFC 4647 section 3.4). Nil
  /// if only one subtag is left.
  package var plainer: LanguageTag? {
    var shorter = subtags.dropLast()
    if let last = shorter.last, last.utf8.count == 1 { shorter = shorter.dropLast() }
    return shorter.isEmpty ? nil : LanguageTag(subtags: Array(shorter))
  }

  /// Whether the language is written from right to left: by the script that the tag names, otherwise by the language's
  /// usual script.
  package var isRightToLeft: Bool {
    if let script = subtags.dropFirst().first(where: { $0.utf8.count == 4 }) {
      return ["Arab", "Hebr", "Thaa", "Syrc", "Nkoo", "Adlm", "Rohg"].contains(script)
    }
    return ["ar", "arc", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "syr", "ug", "ur", "yi"].contains(primary)
  }
}
