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
