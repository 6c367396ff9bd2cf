internal import Sentences

/// Fits text to a width; a character counts as one column.
enum TerminalText {
  static func cut(_ text: String, _ width: Int) -> String {
    text.count <= width ? text : "\(text.prefix(max(0, width - 1)))…"
  }

  /// Lines of at most `width`, broken at spaces; a longer word is broken anywhere.
  static func wrap(_ text: String, _ width: Int) -> [String] {
    let pieces = text.split(separator: " ").flatMap { word -> [Substring] in
      var rest = word
      var pieces: [Substring] = []
      while rest.count > width {
        pieces.append(rest.prefix(width))
        rest = rest.dropFirst(width)
      }
      return rest.isEmpty ? pieces : pieces + [rest]
    }
    return fill(pieces.map(String.init), width)
  }

  /// Fills lines of at most `width` with words; returns at least one line.
  static func fill(_ words: [String], _ width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in words {
      if line.isEmpty {
        line = word
      } else if line.count + 1 + word.count <= width {
        line += " \(word)"
      } else {
        lines.append(line)
        line = word
      }
    }
    return lines + [line]
  }
}

/// Abbreviates words that are wider than their column, and collects the abbreviations.
struct TerminalLegend {
  private(set) var entries: [(short: String, full: String)] = []

  /// Shortens "network.timeout" to "n.timeout", and cuts the rest if it is still too long. Keeps a comma and always
  /// leaves room for
  /// one, so that a word has one abbreviation.
  mutating func shorten(_ word: String, _ width: Int) -> String {
    guard word.count > width else { return word }
    let comma = word.hasSuffix(",") ? "," : ""
    let full = String(word.dropLast(comma.count))
    let halves = full.split(separator: ".", maxSplits: 1)
    let abbreviated = halves.count == 2 ? "\(halves[0].prefix(1)).\(halves[1])" : full
    let short = abbreviated.count + 1 > width ? TerminalText.cut(abbreviated, width - 1) : abbreviated
    if !entries.contains(where: { $0 == (short, full) }) { entries.append((short, full)) }
    return short + comma
  }

  /// The legend, with as many entries per line as fit.
  func lines(_ width: Int) -> [String] {
    let words = entries.enumerated().map { index, entry in
      "\(entry.short) = \(entry.full)\(index == entries.count - 1 ? "" : ";")"
    }
    return words.isEmpty ? [] : TerminalText.fill(words, width)
  }
}

extension ReportGrid {
  /// Explains the short names of variants; empty if no short name is shown.
  func variantLegend(_ width: Int, _ language: Language) -> [String] {
    let isShown = rows.contains { $0.squares.contains { $0.parts.contains { !$0.isWhole } } }
    guard isShown else { return [] }
    let words = variants.enumerated().map { index, variant in
      let sentence = Sentence(
        MatrixSentence.variant,
        ["label": .text(variant.label), "rendering": .text(variant.rendering), "store": .text(variant.store)])
      return VisibleText.line(language.text(of: sentence)) + (index == variants.count - 1 ? "" : ";")
    }
    return TerminalText.fill(words, width)
  }
}

extension ReportGrid.Part {
  /// "RED", "—" or the answers; followed by the variants if they differ.
  ///
  /// - Parameter missing: Variants that are shown as not played elsewhere.
  /// - Returns: Nil if no variant is left.
  func sign(without missing: [String] = []) -> String? {
    let labels = labels.filter { isPlayed || isWhole || !missing.contains($0) }.map(VisibleText.line)
    guard !labels.isEmpty else { return nil }
    let names = isWhole ? "" : labels.joined(separator: " ")
    switch result {
    case .fault: return isWhole ? "RED" : "RED \(names)"
    case .absent: return isWhole ? "—" : "— \(names)"
    case .seen(let text): return isWhole ? VisibleText.line(text) : "\(names): \(VisibleText.line(text))"
    }
  }
}
