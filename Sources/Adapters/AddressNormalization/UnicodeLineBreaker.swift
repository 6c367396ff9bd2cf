internal import CUnistring
internal import Registration

/// Breaks lines with Debian's libunistring: UAX #14, and the widths of UAX #11.
package struct UnicodeLineBreaker: LineBreaker {
  package init() {}

  package func lines(_ paragraph: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for piece in pieces(of: Array(paragraph.utf8)) {
      if !line.isEmpty, columns(trimmed(line + piece)) > width {
        lines.append(trimmed(line))
        line = piece
      } else {
        line += piece
      }
    }
    return line.isEmpty ? lines : lines + [trimmed(line)]
  }

  /// The pieces that no line break may divide, each with the spaces after it.
  private func pieces(of text: [UInt8]) -> [String] {
    var breaks = [CChar](repeating: 0, count: text.count)
    u8_possible_linebreaks(text, text.count, "UTF-8", &breaks)
    var pieces: [String] = []
    var start = 0
    var depth = 0
    for index in text.indices.dropFirst() {
      // FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE: E2 81 A8 and E2 81 A9
      if index >= 3, text[index - 3] == 0xE2, text[index - 2] == 0x81 {
        if text[index - 1] == 0xA8 { depth += 1 }
        if text[index - 1] == 0xA9 { depth = max(0, depth - 1) }
      }
      // an address, a path or an option in ASCII is never broken, and neither is a word at a hyphen
      let isWithinASCII = text[index - 1] < 0x80 && text[index - 1] != UInt8(ascii: " ") && text[index] < 0x80
      guard breaks[index] == UC_BREAK_POSSIBLE, depth == 0, !isWithinASCII, text[index - 1] != UInt8(ascii: "-") else {
        continue
      }
      pieces.append(String(decoding: text[start..<index], as: UTF8.self))
      start = index
    }
    return text.isEmpty ? [] : pieces + [String(decoding: text[start...], as: UTF8.self)]
  }

  private func columns(_ line: String) -> Int {
    let text = Array(line.utf8)
    return Int(u8_width(text, text.count, "UTF-8"))
  }

  private func trimmed(_ line: String) -> String {
    var line = line[...]
    while line.last == " " { line.removeLast() }
    return String(line)
  }
}
