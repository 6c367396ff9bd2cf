import AddressNormalization
import Testing

@Suite("Lines of texts")
struct LineBreakerTests {
  private func lines(_ paragraph: String, width: Int = 12) -> [String] {
    UnicodeLineBreaker().lines(paragraph, width: width)
  }

  @Test("what has no place for a break stays whole, and nothing is no line")
  func whole() {
    #expect(lines("") == [])
    #expect(lines("name@long-domain.example") == ["name@long-domain.example"])
    #expect(lines("an e-mail-address") == ["an", "e-mail-address"], "not at a hyphen")
    #expect(lines("an e-mail-über-all") == ["an", "e-mail-über-all"], "nor where what follows is not ASCII")
    #expect(lines("\u{200B}\u{2068}") == ["\u{200B}\u{2068}"])
  }

  @Test("words stay whole, and the spaces between lines go")
  func words() {
    #expect(lines("twelve cols! and two more") == ["twelve cols!", "and two more"])
    #expect(lines("a  b   ") == ["a  b"])
  }

  @Test("Chinese has two columns for a character, is broken anywhere, and no line begins with a full stop or a comma")
  func chinese() {
    #expect(lines("一二三四五六七八") == ["一二三四五六", "七八"])
    #expect(lines("一二三四五六。七八") == ["一二三四五", "六。七八"])
    #expect(lines("一二三四五（六七）八") == ["一二三四五", "（六七）八"])
    #expect(lines("一二 Latin words 三") == ["一二 Latin", "words 三"])
  }

  @Test("what is isolated stays in one line, and marks have no width")
  func isolated() {
    #expect(
      lines("حتى \u{2068}2026-11-22 14:32 UTC\u{2069} غد") == ["حتى", "\u{2068}2026-11-22 14:32 UTC\u{2069}", "غد"])
    #expect(lines("كَلِمَة كَلِمَة كَلِمَة") == ["كَلِمَة كَلِمَة", "كَلِمَة"])
  }
}
