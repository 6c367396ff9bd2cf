internal import CUnistring
internal import LineBreaking
internal import Registration

/// Breaks paragraphs of mails into lines (UAX #14). libunistring tells the widths of characters (UAX #11).
package struct UnicodeLineBreaker: LineBreaker {
  package init() {}

  package func lines(_ paragraph: String, width: Int) -> [String] {
    LineBreaking.lines(paragraph, width: width, dividesIsolates: false) { line in
      let text = Array(line.utf8)
      return Int(u8_width(text, text.count, "UTF-8"))
    }
  }
}
