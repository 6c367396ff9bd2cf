extension JSONTexts {
  /// §7: string = quotation-mark *char quotation-mark, with unescaped = %x20-21 / %x23-5B / %x5D-10FFFF.
  static let strings: [JSONText] =
    [
      .good("§7 one letter", #""a""#),
      .good("§7 the first unescaped character", #"" ""#),
      .good("§7 the characters beside the quote", #""!#""#),
      .good("§7 the characters beside the backslash", #""[]""#),
      .good("§7 DEL is unescaped", "\"\u{7F}\""),
      .good("§7 every unescaped character of ASCII", "\"\(unescaped)\""),
      .good("§7 a slash without an escape", #""/""#),
      .good("§7 an apostrophe without an escape", #""it's""#),
      .good("§7 apostrophes around a letter", #""'a'""#),
      .good("§7 a grave accent", #""`""#),
      .good("§7 one byte less than a word", #""1234567""#),
      .good("§7 a word of eight bytes", #""12345678""#),
      .good("§7 one byte more than a word", #""123456789""#),
      .good("§7 two words", #""0123456789abcdef""#),
      .good("§7 ten thousand letters", "\"\(String(repeating: "abcde", count: 2_000))\""),
      .good("§7 each length up to eight", #"["","1","12","123","1234","12345","123456","1234567","12345678"]"#),
      .good("§7 a letter of two bytes at each position in a word", "[\(placed("\u{E9}"))]"),
      .good("§7 a letter of three bytes at each position in a word", "[\(placed("\u{20AC}"))]"),
      .good("§7 a letter of four bytes at each position in a word", "[\(placed("😀"))]"),
      .good("§7 DEL at each position in a word", "[\(placed("\u{7F}"))]"),
      .good("§7 HTML", #""<a href='b'>&amp;</a>""#),
      .good("§7 placeholders of several formats", #""%s %d ${a} #{b} \\(c)""#),
      .good("§7 a number", #""-1.5e3""#),
      .good("§7 URL encoding", #""a+b%20c""#),
      .good("§7 a path and an address", #""https://[2001:db8::1]:443/a?b=c&d=%22#e""#),
      .good("§7 a date", #""2024-02-29T23:59:60Z""#),
      .good("§7 Base64", #""+/8AAP//fn5+Cg==""#),
      .good("§7 a regular expression", #""^[^\\[\\]{}]+(?:\\d*)$""#),
      .good("§7 an empty string beside an array and an object", #"{"":[""],"a":{"":""}}"#),
      .good("§7 short strings side by side", #"["","","a","b",""]"#),

      // characters that are not ASCII
      .good("§7 the C1 control characters", "\"\u{80}\u{85}\u{9F}\""),
      .good("§7 a no-break space", "\"\u{A0}\""),
      .good("§7 a soft hyphen", "\"\u{AD}\""),
      .good("§7 a combining mark first", "\"\u{301}a\""),
      .good("§7 composed and decomposed letters", "\"\u{E9}e\u{301}\""),
      .good("§7 a line separator and a paragraph separator", "\"\u{2028}\u{2029}\""),
      .good("§7 direction marks", "\"\u{200F}\u{202E}\u{2066}\u{2069}\""),
      .good("§7 zero-width joiners", "\"👩\u{200D}👩\u{200D}👧\""),
      .good("§7 letters of several scripts", "\"\u{3A9}\u{416}\u{5D0}\u{628}\u{905}\u{E01}\u{65E5}\u{D55C}\""),
      .good("§7 quotes that are not ASCII", "\"\u{201C}a\u{201D}\u{FF02}\""),
      .good("§7 a fullwidth backslash", "\"\u{FF3C}n\""),
      .good("§7 private use characters", "\"\u{E000}\u{F8FF}\u{F0000}\u{10FFFD}\""),
      .good("§7 the replacement character", "\"\u{FFFD}\""),
      .good("§7 a flag, a skin tone and a keycap", "\"\u{1F1E8}\u{1F1ED}\u{1F44D}\u{1F3FD}1\u{FE0F}\u{20E3}\""),
      .good("§7 tags and variation selectors", "\"\u{E0001}\u{E0020}\u{E007F}\u{FE00}\u{E0100}\""),
      .good("§7 letters of three bytes in a row", "\"\u{3053}\u{3093}\u{306B}\u{3061}\u{306F}\u{3001}\u{4E16}\""),
      .good("§7 right-to-left letters", "\"\u{5E9}\u{5DC}\u{5D5}\u{5DD} \u{645}\u{631}\u{62D}\u{628}\u{627}\""),
      .good("§7 many marks on one letter", "\"a\(String(repeating: "\u{300}", count: 100))\""),
      .good("§7 bytes that are not ASCII next to each quote", "[\"\u{E9}\",\"\u{20AC}\",\"😀\"]"),
      .good("§7 noncharacters at the end of a plane", "\"\u{FFFE}\u{FFFF}\u{1FFFE}\u{1FFFF}\u{10FFFE}\""),
      .goodString("§7 noncharacters in the middle of a plane", [0xEF, 0xB7, 0x90, 0xEF, 0xB7, 0xAF]),
      .good("§7 a code point without a character", "\"\u{378}\u{E0FFF}\""),
      .good("§7 U+FEFF in a string", "\"\u{FEFF}\""),
      .good("§7 U+FEFF first in a string", "[\"\u{FEFF}a\"]"),
      .good("§7 U+FEFF in a name", "{\"\u{FEFF}\":0}"),

      // quotes
      .bad("§7 a quote alone", #"""#),
      .bad("§7 the last quote is missing", #""a"#),
      .bad("§7 the first quote is missing", #"a""#),
      .bad("§7 both quotes are missing", "a"),
      .bad("§7 three quotes", #"""""#),
      .bad("§7 a quote in the middle", #""a"b""#),
      .bad("§7 a quote at the start", #"""a""#),
      .bad("§7 a quote at the end", #""a"""#),
      .bad("§7 the last quote is missing, in an array", #"["a]"#),
      .bad("§7 the last quote is missing in a long string", #""12345678"#),
      .bad("§7 the last quote is missing after two bytes", "\"\u{E9}"),
      .bad("§7 apostrophes instead of quotes", "'a'"),
      .bad("§7 an apostrophe instead of the first quote", #"'a""#),
      .bad("§7 an apostrophe instead of the last quote", #""a'"#),
      .bad("§7 no letter between apostrophes", "''"),
      .bad("§7 grave accents instead of quotes", "`a`"),
      .bad("§7 typographic quotes", "\u{201C}a\u{201D}"),
      .bad("§7 angle quotes", "\u{AB}a\u{BB}"),
      .bad("§7 fullwidth quotes", "\u{FF02}a\u{FF02}"),
      .bad("§7 a typographic quote last", "\"a\u{201D}"),
      .bad("§7 escaped quotes around a letter", #"\"a\""#),
      .bad("§7 escapes instead of quotes around a letter", #"\u0022a\u0022"#),
      .bad("§7 three quotes on each side", #""""a""""#),
      .bad("§7 strings joined with plus", #""a"+"b""#),
      .bad("§7 a letter at the end", #""a"b"#),
      .bad("§7 a digit at the end", #"["a"1]"#),

      // control characters, in addition to `rawControls` below
      .bad("§7 a raw line feed first", "\"\na\""),
      .bad("§7 a raw carriage return and line feed", "\"a\r\nb\""),
      .bad("§7 a raw tab last", "\"a\t\""),
      .bad("§7 a raw tab after an escape", "\"\\t\t\""),
      .bad("§7 a raw line feed in a word of eight bytes that are not ASCII", "\"\u{E9}\u{E9}\u{E9}\n\""),
      .bad("§7 a raw control character after DEL", "\"\u{7F}\u{1F}\""),
      .bad("§7 a raw unit separator, the last of the control characters, before the last quote", "\"\u{1F}\""),
      .bad("§7 raw U+0000 instead of the last quote", "\"a\u{0}"),
      .bad("§7 raw U+0000 after many letters", "\"\(unescaped)\u{0}\""),
      .bad("§7 a raw line feed in a string of an array", "[\"a\n\"]"),
      .bad("§7 a raw tab in a string of an object", "{\"a\":\"\t\"}"),
    ] + rawControls

  /// Each control character after a different number of letters, so that it occurs at each position in a word, and
  /// before enough letters to complete the word.
  private static let rawControls: [JSONText] = (UInt8(0x00)...0x1F).map { control in
    let content = [UInt8](repeating: 0x61, count: Int(control) * 5 % 19) + [control] + Array("bcdefghi".utf8)
    let code = String(control, radix: 16, uppercase: true)
    return .badString("§7 U+\(control < 0x10 ? "000" : "00")\(code) raw", content)
  }

  private static var unescaped: String {
    let codes = [0x20...0x21, 0x23...0x5B, 0x5D...0x7E].joined()
    return codes.map { "\(Unicode.Scalar(UInt8($0)))" }.joined()
  }

  /// Nine strings, with `letter` after zero to eight letters.
  static func placed(_ letter: String) -> String {
    (0..<9).map { "\"\(String(repeating: "a", count: $0))\(letter)bcdefgh\"" }.joined(separator: ",")
  }
}
