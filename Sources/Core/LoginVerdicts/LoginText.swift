/// The text of a login name, as programs send it to doors and helpers. Many programs copy the name unchanged into a
/// header (`Remote-User`), an environment variable, a log line, or a line of another protocol. A name that could end a
/// line or a field in such a text therefore cannot sign in.
package enum LoginText {
  /// The name without spaces and invisible marks before and after it, which regd ignores in addresses as well.
  ///
  /// - Returns: Nil if nothing is left, if the bytes are not UTF-8, or if a character is a line or paragraph separator
  ///   or a control character, such as a NUL, a tab or a line feed.
  package static func name(_ bytes: some Collection<UInt8>) -> String? {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    let scalars = text.unicodeScalars
    guard !scalars.contains(where: endsField) else { return nil }
    guard let start = scalars.firstIndex(where: { !isMargin($0) }),
      let end = scalars.lastIndex(where: { !isMargin($0) })
    else { return nil }
    return String(scalars[start...end])
  }

  /// Whether a character may end a line or a field in another program.
  static func endsField(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    return switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// Whether a character at an end of a name is ignored: a space, or a mark that is not shown.
  private static func isMargin(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar == " " }
    return switch scalar.properties.generalCategory {
    case .spaceSeparator, .format: true
    default: false
    }
  }
}
