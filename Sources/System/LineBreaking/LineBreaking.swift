internal import CUnistring

/// Breaks texts into lines with Debian's libunistring (UAX #14).
package enum LineBreaking {
  /// Fills each line with as much text as fits, and drops the spaces at its end. A part that is wider than a line, and
  /// that no break may divide, gets its own line.
  ///
  /// - Parameters:
  ///   - width: The columns of a line.
  ///   - dividesIsolates: Whether a line may end within an isolate, a run of text with its own direction (UAX #9).
  ///   - columns: Returns the width of a text in columns.
  /// - Returns: None for an empty text.
  package static func lines(
    _ text: String, width: Int, dividesIsolates: Bool, columns: (String) -> Int
  ) -> [String] {
    var lines: [String] = []
    var line = ""
    for part in parts(of: Array(text.utf8), dividesIsolates) {
      if !line.isEmpty, columns(trimmed(line + part)) > width {
        lines.append(trimmed(line))
        line = part
      } else {
        line += part
      }
    }
    return line.isEmpty ? lines : lines + [trimmed(line)]
  }

  /// The parts of a text that no line break may divide, each with the spaces after it.
  private static func parts(of text: [UInt8], _ dividesIsolates: Bool) -> [String] {
    var breaks = [CChar](repeating: 0, count: text.count)
    u8_possible_linebreaks(text, text.count, "UTF-8", &breaks)
    var parts: [String] = []
    var start = 0
    var depth = 0
    for index in text.indices.dropFirst() {
      var isOpening = false
      // marks that open an isolate (LEFT-TO-RIGHT, RIGHT-TO-LEFT, FIRST STRONG) or end one: E2 81 A6 to E2 81 A9
      if index >= 3, text[index - 3] == 0xE2, text[index - 2] == 0x81 {
        isOpening = 0xA6...0xA8 ~= text[index - 1]
        if isOpening { depth += 1 }
        if text[index - 1] == 0xA9 { depth = max(0, depth - 1) }
      }
      // an address, a path or an option in ASCII is never broken, and neither is a word at a hyphen
      let isWithinASCII = text[index - 1] < 0x80 && text[index - 1] != UInt8(ascii: " ") && text[index] < 0x80
      guard breaks[index] == UC_BREAK_POSSIBLE, !isOpening, dividesIsolates || depth == 0, !isWithinASCII,
        text[index - 1] != UInt8(ascii: "-")
      else { continue }
      parts.append(String(decoding: text[start..<index], as: UTF8.self))
      start = index
    }
    return text.isEmpty ? [] : parts + [String(decoding: text[start...], as: UTF8.self)]
  }

  private static func trimmed(_ line: String) -> String {
    var line = line[...]
    while line.last == " " { line.removeLast() }
    return String(line)
  }
}
