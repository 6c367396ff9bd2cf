import Localization
import Testing

@Suite("Untrusted text")
struct HarmlessTextTests {
  @Test(
    "HarmlessText escapes only characters that control a terminal, end a line or set a direction",
    arguments: [
      ("\u{1B}[2J\u{7}\r", #"\u001b[2J\u0007\u000d"#), ("\u{9B}31m\u{7F}\u{85}", #"\u009b31m\u007f\u0085"#),
      ("a\u{2028}b\u{2029}", #"a\u2028b\u2029"#), ("\u{202E}gpj.exe\u{202C}", #"\u202egpj.exe\u202c"#),
      ("\u{61C}\u{200E}\u{200F}\u{2066}\u{2067}", #"\u061c\u200e\u200f\u2066\u2067"#), ("a\tb\nc", #"a\u0009b\u000ac"#),
      ("müller@例え.jp 👩‍👩‍👧 \u{A0}\\ \"", "müller@例え.jp 👩‍👩‍👧 \u{A0}\\ \""), ("", ""),
    ])
  func line(_ text: String, _ shown: String) { #expect(HarmlessText.line(text) == shown) }

  @Test("HarmlessText.lines keeps line feeds")
  func lines() {
    #expect(HarmlessText.lines("a\n\u{1B}b\r\n\nc\n") == "a\n\\u001bb\\u000d\n\nc\n")
  }

  @Test("HarmlessText keeps closed isolates, as messages use them, and escapes unclosed ones")
  func isolates() {
    #expect(HarmlessText.line("a \u{2068}b \u{2068}c\u{2069}\u{2069}") == "a \u{2068}b \u{2068}c\u{2069}\u{2069}")
    #expect(HarmlessText.line("\u{2067}a \u{2066}b\u{2069}\u{2069}") == "\u{2067}a \u{2066}b\u{2069}\u{2069}")
    #expect(HarmlessText.line("\u{2069}b\u{2068}") == #"\u2069b\u2068"#)
    #expect(HarmlessText.line("\u{2068}b") == #"\u2068b"#)
    #expect(HarmlessText.lines("\u{2068}b\n\u{2069}") == "\\u2068b\n\\u2069")
  }

  @Test("an escaped JSON text is still JSON with the same content")
  func json() {
    #expect(HarmlessText.line(#"{"a":"\#u{9B}\#u{202E}","b":"\u001b"}"#) == #"{"a":"\u009b\u202e","b":"\u001b"}"#)
  }
}
