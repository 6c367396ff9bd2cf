internal import WireFormats

/// A header that people read (RFC 5322 section 2.2.1), as encoded words (RFC 2047) unless it is one short line of plain
/// ASCII.
enum EncodedWords {
  /// The most characters of a line (RFC 5322 section 2.1.1, RFC 2047 section 2).
  private static let longestLine = 76
  private static let beginning = "=?utf-8?B?"
  private static let end = "?="

  /// - Parameter text: Each control character and line break in it becomes a space.
  /// - Returns: The header's lines. All but the first begin with a space.
  static func header(_ name: String, _ text: String) -> [String] {
    let text = oneLine(text)
    let plain = "\(name): \(text)"
    return isPlain(text) && plain.utf8.count <= longestLine ? [plain] : words(text, after: "\(name):")
  }

  /// A header with an address, after the name that people read (RFC 5322 section 3.4): a quoted string if it is one short
  /// line of plain ASCII.
  ///
  /// - Parameters:
  ///   - person: The name, in which each control character and line break becomes a space, or "" for the address alone.
  ///   - address: An address that a header may contain.
  /// - Returns: The header's lines. All but the first begin with a space.
  static func header(_ name: String, _ person: String, at address: String) -> [String] {
    guard !person.isEmpty else { return ["\(name): \(address)"] }
    let person = oneLine(person)
    let plain = "\(name): \(quoted(person))"
    var lines = isPlain(person) && plain.utf8.count <= longestLine ? [plain] : words(person, after: "\(name):")
    let (last, end) = (lines.removeLast(), " <\(address)>")
    return lines + (last.utf8.count + end.utf8.count <= longestLine ? [last + end] : [last, end])
  }

  private static func oneLine(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { scalars.append(isShown(scalar) ? scalar : " ") }
    return String(scalars)
  }

  /// Whether mail readers show the text as it is. They would decode a text with "=?", and drop spaces at its ends.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { 0x20...0x7E ~= $0 } && !text.contains("=?") && text.utf8.first != 0x20
      && text.utf8.last != 0x20
  }

  private static func quoted(_ text: String) -> String {
    "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }

  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }

  /// Splits a text into encoded words, one per line. No character is split between two words (RFC 2047 section 5).
  private static func words(_ text: String, after name: String) -> [String] {
    // base64 needs four characters for three bytes
    func room(_ line: String) -> Int {
      (longestLine - line.utf8.count - 1 - beginning.utf8.count - end.utf8.count) / 4 * 3
    }
    var lines: [String] = []
    var line = name
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      let more = Array(String(scalar).utf8)
      if bytes.count + more.count > room(line) {
        lines.append("\(line) \(beginning)\(Base64.encoded(bytes))\(end)")
        (line, bytes) = ("", [])
      }
      bytes += more
    }
    return lines + ["\(line) \(beginning)\(Base64.encoded(bytes))\(end)"]
  }
}
