import Testing
import UserMessages

@Suite("Output of programs")
struct TerminalTests {
  @Test("a message keeps its isolates and line feeds, and other control characters are escaped")
  func isolated() {
    #expect(Terminal.printable("\u{2068}a\u{2069}\nb\u{7}") == "\u{2068}a\u{2069}\nb\\u0007")
  }
}
