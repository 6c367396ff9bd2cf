internal import Sentences

/// Finds out which of the library's English sentences a text is, by the templates that they stand in the catalogue as: so one
/// text says how the sentence is recognised, and what a translator sees.
enum LibraryWords {
  /// - Returns: The sentence that the text is, with what stands at its places; nil where it is another.
  static func match(_ key: some SentenceKey, _ text: String) -> Sentence? {
    guard let parts = (try? Template(key.rawValue))?.parts else { return nil }
    var rest = text[...]
    var values: [(String, Sentence.Content)] = []
    var place: String?
    for (index, part) in parts.enumerated() {
      switch part {
      case .place(let name): place = name
      case .text(let literal):
        let isLast = index == parts.count - 1
        guard let found = isLast ? rest.range(ofSuffix: literal) : rest.firstRange(of: literal) else { return nil }
        if let name = place { values.append((name, .text(String(rest[..<found.lowerBound])))) }
        guard place != nil || found.lowerBound == rest.startIndex else { return nil }
        place = nil
        rest = rest[found.upperBound...]
      case .number, .plural: return nil
      }
    }
    if let place { values.append((place, .text(String(rest)))) } else if !rest.isEmpty { return nil }
    return Sentence(key, values: values)
  }

  /// What the library said of a command line; nil for what it has not said, or is not known here.
  static func message(_ text: String) -> Sentence? {
    for key in LibrarySentence.allCases {
      if let sentence = match(key, text) { return sentence }
    }
    return nil
  }
}

extension Substring {
  fileprivate func range(ofSuffix suffix: String) -> Range<Index>? {
    hasSuffix(suffix) ? index(endIndex, offsetBy: -suffix.count)..<endIndex : nil
  }
}
