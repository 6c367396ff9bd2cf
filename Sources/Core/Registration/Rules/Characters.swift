/// Tests and comparisons of ASCII bytes.
enum ASCII {
  @inline(__always) static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  static func isWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var all: UInt8 = 0
    var index = 0
    while index < bytes.count {
      all |= bytes[index]
      index &+= 1
    }
    return all < 0x80
  }

  /// Whether both have the same bytes. Compares eight bytes at a time. The last eight may overlap the eight before.
  static func areEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    guard one.count == other.count else { return false }
    let count = one.count
    guard count >= 8 else { return one.elementsEqual(other) }
    var index = 0
    while true {
      if one.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        != other.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      {
        return false
      }
      if index == count &- 8 { return true }
      index = min(index &+ 8, count &- 8)
    }
  }

  /// Whether both are equal, ignoring the case of ASCII letters.
  static func areSame(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    guard one.count == other.count else { return false }
    var index = 0
    while index < one.count {
      if lowercased(one[index]) != lowercased(other[index]) { return false }
      index &+= 1
    }
    return true
  }

  /// `atext` of RFC 5322 §3.2.3: letters, digits and !#$%&'*+-/=?^_`{|}~.
  @inline(__always) static func isText(_ byte: UInt8) -> Bool {
    let mask: UInt64 = byte < 64 ? 0xA3FF_ACFA_0000_0000 : 0x7FFF_FFFF_C7FF_FFFE
    return byte < 0x80 && mask &>> UInt64(byte & 63) & 1 == 1
  }
}

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

/// A character of a code that a person has typed or pasted. regd accepts each code as regd itself prints it in any of its
/// languages, and as keyboards and text programs change it on the way.
enum TypedCharacter {
  /// White space, a hyphen or dash, or an invisible character such as a mark of direction.
  case ignored
  /// A digit or letter in ASCII. Digits of every script and full-width letters become their plain forms.
  case plain(UInt8)
  case other

  init(_ scalar: Unicode.Scalar) {
    let properties = scalar.properties
    if scalar.isASCII {
      self = properties.isWhitespace || scalar == "-" ? .ignored : .plain(UInt8(scalar.value))
    } else if let digit = Self.digit(properties) {
      self = .plain(UInt8(ascii: "0") + digit)
    } else if let letter = Self.fullWidthLetter(scalar) {
      self = .plain(letter)
    } else {
      let isInvisible = properties.generalCategory == .format || properties.isDefaultIgnorableCodePoint
      self = properties.isWhitespace || properties.isDash || scalar == "\u{2043}" || isInvisible ? .ignored : .other
    }
  }

  private static func digit(_ properties: Unicode.Scalar.Properties) -> UInt8? {
    guard properties.generalCategory == .decimalNumber, let value = properties.numericValue else { return nil }
    return UInt8(exactly: value).flatMap { $0 < 10 ? $0 : nil }
  }

  /// U+FF21 to U+FF3A are the capital letters, U+FF41 to U+FF5A the small ones.
  private static func fullWidthLetter(_ scalar: Unicode.Scalar) -> UInt8? {
    switch scalar.value {
    case 0xFF21...0xFF3A, 0xFF41...0xFF5A: UInt8(scalar.value - 0xFEE0)
    default: nil
    }
  }
}
