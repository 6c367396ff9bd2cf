/// Makes foreign text safe for a log or a terminal: escapes the characters that control a terminal, end a line, or
/// change the direction of text. The escapes are those of JSON (`\u001b`), so that JSON text remains JSON.
package enum HarmlessText {
  /// The escape of a harmful character, or nil for any other character.
  package static func escape(of scalar: Unicode.Scalar) -> String? {
    switch scalar.value {
    // control characters, line and paragraph separators, and characters that set directions (UAX #9 section 2)
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x2029, 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: break
    default: return nil
    }
    let digits = String(scalar.value, radix: 16)
    return "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)"
  }

  /// The text as one safe line, whatever it contains.
  package static func line(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { escape(of: $0) != nil }) else { return text }
    let keepsIsolates = hasOnlyClosedIsolates(text)
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let escape = escape(of: scalar), !(keepsIsolates && isIsolate(scalar)) {
        line += escape.unicodeScalars
      } else {
        line.append(scalar)
      }
    }
    return String(line)
  }

  /// The text with each of its lines made safe.
  package static func lines(_ text: String) -> String {
    text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line(String($0)) }
      .joined(separator: "\n")
  }

  /// Whether the character begins or ends an isolate. Sentences in right-to-left languages put isolates around values, and
  /// screens put them around sentences. A closed isolate moves nothing outside itself.
  private static func isIsolate(_ scalar: Unicode.Scalar) -> Bool { "\u{2066}"..."\u{2069}" ~= scalar }

  private static func hasOnlyClosedIsolates(_ text: String) -> Bool {
    var depth = 0
    for scalar in text.unicodeScalars {
      if isIsolate(scalar) { depth += scalar == "\u{2069}" ? -1 : 1 }
      if depth < 0 { return false }
    }
    return depth == 0
  }
}
