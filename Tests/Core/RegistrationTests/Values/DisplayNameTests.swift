import AddressNormalization
import TestDoubles
import Testing

@testable import Registration

/// Contract 15.1, with the real normalizer.
@Suite("Display names")
struct DisplayNameTests {
  private func check(_ typed: String?) -> (name: String?, problems: [Problem.Reason]) {
    let result = DisplayName.check(typed, UnicodeNormalizer())
    return ((try? result?.get())?.text, result?.problems.map(\.reason) ?? [])
  }

  @Test(
    "a name with a control character, a line break, a hidden character or an unpaired bidirectional control is invalid",
    arguments: [
      "a\u{0}b", "a\tb", "a\nb", "a\r\nb", "a\u{85}b", "a\u{2028}b", "a\u{2029}b", "a\u{7F}", "a\u{AD}b", "a\u{200B}b",
      "a\u{2060}b", "a\u{FEFF}b", "a\u{34F}b", "a\u{115F}b", "a\u{180E}b", "a\u{2800}b", "a\u{FFF9}b", "a\u{E0041}b",
      "a\u{202A}b", "a\u{202E}b", "a\u{2066}b", "a\u{202C}b", "a\u{2069}b", "\u{2066}a\u{202C}", "\u{202A}a\u{2069}",
      "\u{202A}\u{2066}a\u{202C}\u{2069}",
    ])
  func hidden(_ typed: String) {
    #expect(check(typed) == (nil, [.displayNameInvalid]))
  }

  @Test("a name with a noncharacter is invalid")
  func noncharacters() throws {
    for value: UInt32 in [0xFFFF, 0xFDD0, 0x1FFFE] {
      let scalar = try #require(Unicode.Scalar(value))
      #expect(check("a\(scalar)b") == (nil, [.displayNameInvalid]))
    }
  }

  @Test(
    "a name without a visible character is invalid",
    arguments: [" ", "\u{A0}", "\u{3000} \t", "\n", "\u{200D}", " \u{200E} \u{200F}", "\u{FE0F}", "\u{2066}\u{2069}"])
  func blank(_ typed: String) {
    #expect(check(typed) == (nil, [.displayNameInvalid]))
  }

  @Test("nil and an empty text are no name, and not a problem")
  func none() {
    for typed in [nil, ""] { #expect(check(typed) == (nil, [])) }
  }

  @Test("a name has at most 120 code points, which are counted after trimming and composing")
  func length() {
    let longest = String(repeating: "é", count: 120)
    #expect(check(longest) == (longest, []))
    #expect(check("  " + String(repeating: "e\u{301}", count: 120) + "\n") == (longest, []))
    #expect(check(String(repeating: " ", count: 5000) + "Ann" + String(repeating: "\t", count: 5000)) == ("Ann", []))
    #expect(check(longest + "x") == (nil, [.displayNameTooLong]))
    #expect(check(String(repeating: "x", count: 100_000)) == (nil, [.displayNameTooLong]))
    #expect(check(longest + "\u{200B}") == (nil, [.displayNameTooLong, .displayNameInvalid]))
  }

  @Test(
    "names of all scripts are kept, with the joiners, marks of direction and emoji that they need",
    arguments: [
      "Ada Lovelace", "x", "O'Brien-Smith 3rd", "李小龍", "محمد", "می\u{200C}خواهم", "श्री", "क्\u{200D}ष",

      "\u{200F}שלום\u{200E}", "👩\u{200D}👩\u{200D}👧", "❤\u{FE0F}", "葛\u{E0100}", "a\u{A0}b", "\u{2066}a\u{2069}",
      "\u{202B}\u{2067}a\u{2069}\u{202C}", "<script>", "=1+1",
    ])
  func kept(_ typed: String) {
    #expect(check(typed) == (typed, []))
    #expect(check(" \(typed)\t") == (typed, []))
  }
}
