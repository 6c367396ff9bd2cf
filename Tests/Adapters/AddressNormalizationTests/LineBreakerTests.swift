import AddressNormalization
import Testing

@Suite("Line breaking")
struct LineBreakerTests {
  private func lines(_ paragraph: String, width: Int = 12) -> [String] {
    UnicodeLineBreaker().lines(paragraph, width: width)
  }

  @Test("a text without a place to break stays whole, and an empty text has no lines")
  func whole() {
    #expect(lines("") == [])
    #expect(lines("name@long-domain.example") == ["name@long-domain.example"])
    #expect(lines("an e-mail-address") == ["an", "e-mail-address"], "not at a hyphen")
    #expect(lines("an e-mail-über-all") == ["an", "e-mail-über-all"], "nor before a letter that is not ASCII")
    #expect(lines("\u{200B}\u{2068}") == ["\u{200B}\u{2068}"])
  }

  @Test("words stay whole, and spaces at line breaks are removed")
  func words() {
    #expect(lines("twelve cols! and two more") == ["twelve cols!", "and two more"])
    #expect(lines("a  b   ") == ["a  b"])
  }

  @Test("Chinese characters have two columns and allow breaks anywhere, except before a full stop")
  func chinese() {
    #expect(lines("一二三四五六七八") == ["一二三四五六", "七八"])
    #expect(lines("一二三四五六。七八") == ["一二三四五", "六。七八"])
    #expect(lines("一二三四五（六七）八") == ["一二三四五", "（六七）八"])
    #expect(lines("一二 Latin words 三") == ["一二 Latin", "words 三"])
  }

  @Test("an isolated text stays on one line, and marks have no width")
  func isolated() {
    #expect(
      lines("حتى \u{2068}2026-11-22 14:32 UTC\u{2069} غد") == ["حتى", "\u{2068}2026-11-22 14:32 UTC\u{2069}", "غد"])
    #expect(lines("كَلِمَة كَلِمَة كَلِمَة") == ["كَلِمَة كَلِمَة", "كَلِمَة"])
  }
}
