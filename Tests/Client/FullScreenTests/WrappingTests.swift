import FullScreen
import Glibc
import Testing

@Suite("Wrapping text")
struct WrappingTests {
  init() { setlocale(LC_CTYPE, "C.UTF-8") }

  private func lines(_ text: String, _ columns: Int, _ glyphs: Glyphs = .unicode) -> [String] {
    glyphs.wrapped(text, columns: columns).map(\.text)
  }

  @Test("empty text is one empty line, and a word that is too wide has its own line")
  func edges() {
    #expect(lines("", 10) == [""])
    #expect(lines("a wonderfully b", 5) == ["a", "wonderfully", "b"])
    #expect(lines("ab cd", 0) == ["ab", "cd"])
    #expect(lines(" a  b ", 10) == ["a b"])
    #expect(lines("a\u{7}b \u{202E}c", 10) == ["a?b ?c"])
  }

  @Test("a line never breaks within a word, but may break between wide characters")
  func broken() {
    #expect(lines("one two three", 7) == ["one two", "three"])
    #expect(lines("请输入您的密码", 6) == ["请输入", "您的密", "码"])
    #expect(lines("请用 regctl 登录", 6) == ["请用", "regctl", "登录"])
    #expect(lines("请用regctl登录", 6) == ["请用", "regctl", "登录"])
    // a column that is left over is empty
    #expect(lines("请输入", 5) == ["请输", "入"])
  }

  @Test(
    "words around a no-break space are kept together, and the no-break space is drawn as a space",
    arguments: [Glyphs.unicode, .ascii])
  func kept(_ glyphs: Glyphs) {
    #expect(lines("one --two\u{A0}<three>", 12, glyphs) == ["one", "--two <three>"])
  }

  @Test("no line begins with closing punctuation or ends with an opening one")
  func punctuation() {
    #expect(lines("密码错误。请重试", 8) == ["密码错", "误。请重", "试"])
    #expect(lines("密码（新）", 6) == ["密码", "（新）"])
  }

  @Test("an isolate that is wrapped ends with its line and begins again on the next line")
  func isolates() {
    let (first, pop) = ("\u{2068}", "\u{2069}")
    #expect(lines("\(first)one two\(pop) x", 3) == ["\(first)one\(pop)", "\(first)two\(pop)", "x"])
    #expect(lines("\(first)one two\(pop) x", 3, .ascii) == ["one", "two", "x"])
    let cut = Glyphs.unicode.cut([.init("\(first)abcdef\(pop)")], columns: 3)
    #expect(cut.map(\.text) == ["\(first)abc\(pop)"])
  }
}
