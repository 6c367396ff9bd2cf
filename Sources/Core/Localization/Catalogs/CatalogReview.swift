/// Remarks for a translator about a catalogue without errors, which regd can use as it is.
package struct CatalogReview {
  private let tag: LanguageTag
  private let categories: Set<String>
  /// The remarks, in the order of the file.
  package private(set) var remarks: [CatalogProblem] = []
  /// The keys without a text.
  package let missing: [String]

  package init(_ entries: [CatalogEntry], as tag: LanguageTag) {
    self.tag = tag
    categories = Set(PluralRules(tag).categories.map(\.rawValue))
    let keys = EveryMessage.keys
    missing = Set(keys.keys).subtracting(entries.map(\.key)).sorted()
    for entry in entries {
      guard let key = keys[entry.key], let template = try? Template(entry.text),
        let english = try? Template(key.english)
      else { continue }
      for remark in comments(on: entry.text, template, key.english, english) {
        remarks.append(CatalogProblem(line: entry.line, key: entry.key, message: remark))
      }
    }
  }

  private func comments(
    on text: String, _ template: Template, _ englishText: String, _ english: Template
  ) -> [String] {
    var found: [String] = english.places.subtracting(template.places).sorted().map {
      "{\($0)} is missing; the English text has it"
    }
    for (name, forms) in template.plurals {
      let there = Set(forms.map(\.selector).filter { !$0.hasPrefix("=") })
      let lacks = categories.subtracting(there).sorted()
      if !lacks.isEmpty {
        found.append("the plural of {\(name)} lacks \(lacks.joined(separator: ", ")), which \(tag) has")
      }
      let unused = there.subtracting(categories).sorted()
      if !unused.isEmpty {
        found.append(
          "the plural of {\(name)} has \(unused.joined(separator: ", ")), which no whole number uses in \(tag)")
      }
    }
    if Self.space(text.unicodeScalars.first) != Self.space(englishText.unicodeScalars.first) {
      found.append("begins with a space and the English text does not, or vice versa")
    }
    // full-width punctuation includes its space
    let isWide = text.unicodeScalars.last.map { 0x3000...0xFFEF ~= $0.value } ?? false
    if !isWide, Self.space(text.unicodeScalars.last) != Self.space(englishText.unicodeScalars.last) {
      found.append("ends with a space and the English text does not, or vice versa")
    }
    if text.contains("\""), !englishText.contains("\"") { found.append("has straight quotation marks") }
    if tag.isRightToLeft, let word = Self.unisolated(template.parts) {
      found.append(
        "has \"\(word)\" without isolates; write it between \\u2068 and \\u2069 to keep its order in right-to-left text"
      )
    }
    return found
  }

  private static func space(_ scalar: Unicode.Scalar?) -> Bool { scalar?.properties.isWhitespace ?? false }

  /// The first Latin letters or digits outside isolates, or nil without such a character. Places are isolated when
  /// they are filled.
  private static func unisolated(_ parts: [Template.Part]) -> String? {
    var depth = 0
    for part in parts {
      switch part {
      case .place, .number: break
      case .plural(_, let forms):
        for form in forms { if let word = unisolated(form.parts) { return word } }
      case .text(let text):
        var word = ""
        for scalar in text.unicodeScalars {
          switch scalar.value {
          case 0x2066...0x2068: depth += 1
          case 0x2069: depth -= 1
          default: break
          }
          let isLatin = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
          if isLatin && depth == 0 {
            word.unicodeScalars.append(scalar)
          } else if !word.isEmpty {
            return word
          }
        }
        if !word.isEmpty { return word }
      }
    }
    return nil
  }
}

/// A text of a catalogue, as a file contains it.
package struct CatalogEntry: Equatable, Sendable {
  package let key: String
  package let text: String
  /// The line of the key in its file, counted from 1.
  package let line: Int

  package init(key: String, text: String, line: Int) {
    (self.key, self.text, self.line) = (key, text, line)
  }
}

/// Why a catalogue cannot be used.
package struct CatalogProblem: Error, Equatable, Sendable {
  /// The line in the file, counted from 1, or nil if the problem concerns the file as a whole.
  package let line: Int?
  /// The key, or nil if the problem concerns no key.
  package let key: String?
  /// The problem and what would be right, in English: for operators and translators (see the article on languages).
  package let message: String

  package init(line: Int?, key: String? = nil, message: String) {
    (self.line, self.key, self.message) = (line, key, message)
  }
}
