/// Characters that are invisible or indistinguishable, and code points without a meaning (yet). No address may have any, because
/// two addresses that look the same would be different.
enum InvisibleCharacters {
  static func contains(_ scalar: Unicode.Scalar) -> Bool {
    guard !scalar.isASCII else { return scalar.value < 0x20 || scalar.value == 0x7F }
    return switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator, .paragraphSeparator:
      true
    default: scalar.properties.isDefaultIgnorableCodePoint || blanks.contains(scalar.value)
    }
  }

  /// Symbols, letters and marks that are blank, although no Unicode property marks them as such: the braille pattern
  /// without dots, the null musical notehead, a filler of the Khitan script, blanks of the Egyptian one.
  private static let blanks: [UInt32] = [0x2800, 0x16FE4, 0x1D159, 0x13441, 0x13442]

  /// Whether a domain as it was typed has an invisible character, a control character included. UTS #46 drops most of them, so a domain with
  /// them would equal the one without. The two joiners are exempt: Persian and Indic words need them, and IDNA2008 allows them
  /// only where they change how a word looks (RFC 5892, appendix A).
  static func standIn(domain: String) -> Bool {
    domain.unicodeScalars.contains { $0 != "\u{200C}" && $0 != "\u{200D}" && contains($0) }
  }
}

/// Invisible characters before and after an address that come along when a person copies or types it: white space,
/// marks of direction (regd's own mails contain these), and other invisible marks.
enum AddressMargins {
  /// The text without them. An address that contains such characters inside remains unchanged, and `EmailRules` refuses
  /// it.
  static func removed(from typed: String) -> String {
    let scalars = typed.unicodeScalars
    guard let first = scalars.first, let last = scalars.last, isMargin(first) || isMargin(last) else { return typed }
    guard let start = scalars.firstIndex(where: { !isMargin($0) }),
      let end = scalars.lastIndex(where: { !isMargin($0) })
    else { return "" }
    return String(scalars[start...end])
  }

  private static func isMargin(_ scalar: Unicode.Scalar) -> Bool {
    guard !scalar.isASCII else { return scalar == " " || "\t"..."\r" ~= scalar }
    return scalar.properties.isWhitespace || scalar.properties.generalCategory == .format
  }
}
