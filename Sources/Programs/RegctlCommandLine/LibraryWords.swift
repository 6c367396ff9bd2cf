internal import Localization

/// Recognizes ArgumentParser's English sentences by their templates in the catalogue, so that the text that recognizes a
/// sentence is also the one that translators see.
enum LibraryWords {
  /// - Returns: The sentence with the values that the text has at its placeholders, or nil if the text is another
  ///   sentence.
  static func match(_ key: some MessageKey, _ text: String) -> LocalizedMessage? {
    guard let parts = (try? Template(key.english))?.parts else { return nil }
    var rest = text[...]
    var values: [(String, LocalizedMessage.Content)] = []
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
    return LocalizedMessage(key, values: values)
  }

  /// Recognizes ArgumentParser's message about a command line. Returns nil for any other text.
  static func message(_ text: String) -> LocalizedMessage? {
    for key in LibraryMessageKey.allCases {
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
