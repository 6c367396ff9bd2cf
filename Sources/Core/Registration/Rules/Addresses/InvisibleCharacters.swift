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

  /// Symbols, letters and marks that are blank, although no Unicode property says so: the braille pattern without dots,
  /// the null musical notehead, a filler of the Khitan script, blanks of the Egyptian one.
  private static let blanks: [UInt32] = [0x2800, 0x16FE4, 0x1D159, 0x13441, 0x13442]

  /// Whether a domain as it was typed has an invisible character. UTS #46 drops most invisible characters, so a domain with
  /// them would equal the one without. The two joiners are exempt: Persian and Indic words need them, and IDNA2008 allows them
  /// only where they change how a word looks (RFC 5892, appendix A).
  static func standIn(domain: String) -> Bool {
    domain.unicodeScalars.contains { $0 != "\u{200C}" && $0 != "\u{200D}" && !$0.isASCII && contains($0) }
  }
}
